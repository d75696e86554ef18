/** The command `serve`: starts the service, prints its addresses, and stops it on a signal. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isatty } from "node:tty";
import type { Accounts } from "../../identity/accounts/accounts.js";
import { PasswordHasher } from "../../identity/accounts/password-hash.js";
import type { Solr } from "../../index/solr.js";
import { surviveOutputErrors } from "../../platform/output.js";
import { packagePath } from "../../platform/package-root.js";
import {
  checkSetup,
  SERVICE_RIGHTS,
  type StartedService,
  startService,
} from "../../server/assembly/start-service.js";
import type { Config } from "../../server/settings/config.js";
import { editAccounts } from "../accounts/edit-accounts.js";
import { recordChange } from "../accounts/record-change.js";
import { loadFiles } from "../index/load-files.js";

/** Milliseconds between two checks that npm still runs. */
const PARENT_POLL_MS = 500;

const say = (line = ""): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs the service until SIGINT or SIGTERM. */
export async function serve(config: Config): Promise<void> {
  surviveOutputErrors();
  await checkSetup(config);
  const stopping = stopSignal(config);
  const isTerminal = process.stdout.isTTY === true;
  const fill = (solr: Solr): Promise<void> => loadSample(solr, config);
  const service = await startService(config, { say, isTerminal, stopping, fill });
  if (service === undefined) return;
  try {
    await announce(config, service);
    if (!stopping.aborted) await once(stopping, "abort");
    say("Stopping");
  } finally {
    await service.stop();
  }
}

/** Aborts when this process receives SIGINT or SIGTERM. */
function stopSignal(config: Config): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  // logrotate sends SIGHUP, and the files of the audit follow a rotation anyway. A closed terminal still ends the service.
  if (config.audit !== undefined && ![0, 1, 2].some(isatty)) process.on("SIGHUP", () => {});
  endWithNpm();
  return stopping.signal;
}

/**
 * Sends this process SIGTERM when its parent has ended, if `npm start` or npx started it: npm may be killed, and a shell between
 * npm and this process ends without forwarding the signal. A service started in another way may outlive its parent.
 */
function endWithNpm(): void {
  const { npm_lifecycle_event: event, npm_package_name: name } = process.env;
  if (event !== "npx" && !(event === "start" && name === "climate-nextgen")) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Loads the sample catalogue once, and only into an empty index. */
async function loadSample(solr: Solr, config: Config): Promise<void> {
  const marker = join(config.dataDir, "sample-loaded");
  if (existsSync(marker) || (await solr.count({ filters: [] })) > 0) return;
  say("Loading the sample catalogue (data/catalogue.jsonl)");
  await loadFiles(solr.http, [packagePath("data", "catalogue.jsonl")], packagePath("data"));
  await writeFile(marker, "The sample catalogue was loaded; it is not loaded again.\n");
}

/**
 * Creates the user `demo` if there was never a user and no identity provider is set. Only one of several instances
 * that start does it.
 *
 * @returns the password, which is not stored; undefined if no user was created
 */
export async function makeDemoUser(
  config: Config,
  { users, claimFirstUser }: Accounts,
): Promise<string | undefined> {
  if (config.auth.outside !== undefined) return undefined;
  return editAccounts(config, async () => {
    if (!(await claimFirstUser())) return undefined;
    const password = randomBytes(12).toString("base64url");
    const hasher = new PasswordHasher();
    await users.add("demo", "demo@localhost", await hasher.hash(password));
    await hasher.close();
    await recordChange(config, "user-added", "demo");
    return password;
  });
}

const EXAMPLE =
  "/api/climate-nextgen/databrowser/data-search/cmip6/file?experiment_id=historical&variable_id=tas";

/**
 * Prints the addresses, and at the first start the password of the first user. In one write: no line of the log comes between, and
 * a program that waits for the address has all of it.
 */
async function announce(config: Config, { address, metricsAddress, accounts }: StartedService) {
  const base = config.baseUrl ?? address;
  // Made only here, because the password is shown only once and the service must be running by then.
  const demo = await makeDemoUser(config, accounts);
  const lines = [
    "",
    `Page        ${base}/`,
    `API         ${base}/api/climate-nextgen`,
    `Swagger UI  ${base}/docs`,
    ...(metricsAddress === undefined ? [] : [`Metrics     ${metricsAddress}/metrics`]),
    `Try         curl '${address}${EXAMPLE}'`,
    ...(config.rights === "service" ? [`Rights      ${SERVICE_RIGHTS}`] : []),
    "",
    `Listening on ${address}`,
  ];
  const first = [
    "",
    "A first user was made; its password is shown only this once (`users passwd demo` sets another):",
    `            username demo, password ${demo}`,
  ];
  say([...lines, ...(demo === undefined ? [] : first)].join("\n"));
}
