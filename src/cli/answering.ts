/** What each process does that answers requests: the app over an open Solr, behind a server that does not listen yet. */
import type { Server } from "node:http";
import type { Logger } from "pino";
import { createApp } from "../app.js";
import { openAudit } from "../audit/audit.js";
import { type Accounts, openAccounts } from "../auth/accounts.js";
import { openAuth } from "../auth/auth.js";
import { StateCopy } from "../auth/state-copy.js";
import type { Config } from "../config.js";
import { readCaller } from "../contract/caller.js";
import { readDocument } from "../contract/document.js";
import { OwnFlavours } from "../flavours/own-flavours.js";
import { pathOf } from "../http/below-path.js";
import { createHttpServer } from "../http-server.js";
import { Limits } from "../limits/limits.js";
import { requestLog } from "../log/requests.js";
import type { Metrics } from "../metrics/metrics.js";
import { FileRights } from "../rights/file-rights.js";
import { findTools } from "../rights/tools.js";
import { Solr } from "../solr/solr.js";
import { Storage } from "../solr/storage.js";
import { StatusBoard } from "../status/board.js";
import { machineLookups } from "../userdata/machine.js";
import { RegistrationRule } from "../userdata/registration-rule.js";
import { Datasets } from "../zarr/datasets.js";
import { printBeside } from "./log.js";
import { measure } from "./measuring.js";
import type { OpenedSolr } from "./open-solr.js";
import { probesOf } from "./probes.js";

/** Milliseconds that transfers get to finish when the service is told to stop. */
export const DRAIN_MS = 5000;

export interface Answering {
  readonly server: Server;
  /** What is measured of this process. */
  readonly metrics: Metrics;
  /** From now on links name this address, unless another is set. */
  listensOn(address: string): void;
  /** Once the server has no connections any more. */
  close(): Promise<void>;
}

/** How much at a time; as many as there are processors where it is left out. */
export interface Parallel {
  /** Passwords that are hashed. */
  readonly hashers?: number;
  /** Processes that read files. */
  readonly readers?: number;
  /** What is measured of all processes; left out where this one is all. */
  readonly scrape?: () => Promise<string>;
}

/** The index of a Solr, with the bounds of the configuration. */
export function openIndex(
  { solr }: Config,
  opened: Pick<OpenedSolr, "endpoint" | "topology" | "isUp" | "mend">,
): Solr {
  const { endpoint, topology, isUp, mend } = opened;
  const index = new Solr(endpoint, solr.timeoutMs, topology, isUp, solr.load);
  index.http.onFailedWrite = mend;
  return index;
}

/** The index, and what instances share in it or in a data folder. */
export interface Shared {
  readonly solr: Solr;
  readonly copy: StateCopy;
  readonly accounts: Accounts;
}

/** @param say gets a line for whoever started the service; @throws as openAccounts */
export async function openShared(
  config: Config,
  solr: Solr,
  { say, logger }: { readonly say: (line: string) => void; readonly logger: Logger },
): Promise<Shared> {
  const copy = new StateCopy(solr.state);
  const report = (problem: string): void => logger.warn({ problem }, "accounts");
  const reports = { say, report };
  const accounts = await openAccounts(copy, config.dataDir, config.auth.shared, reports);
  return { solr, copy, accounts };
}

export async function openAnswering(
  config: Config,
  { solr, copy, accounts }: Shared,
  logger: Logger,
  { hashers, readers, scrape }: Parallel = {},
): Promise<Answering> {
  const unfollow = solr.followShards();
  const audit = await openAudit(config.audit, {
    report: (problem) => logger.error({ problem }, "audit"),
    print: (line) => printBeside(logger, line),
  });
  const flavours = new OwnFlavours(copy);
  const auth = await openAuth({
    ...{ ...config.auth, accounts, copy },
    report: (problem) => logger.warn({ problem }, "accounts"),
    ...(hashers !== undefined && { hashers }),
  });
  const datasets = new Datasets({
    dataRoots: config.dataRoots,
    memory: config.readingMemory,
    report: (problem) => logger.warn({ problem }, "reading files"),
    ...(readers !== undefined && { readers }),
  });
  const storage = new Storage(solr.state, config.dataDir);
  const status = new StatusBoard(probesOf({ config, solr, keys: accounts.keys, storage }));
  const metrics = measure(solr, datasets, audit);
  let address = "";
  const limits = Limits.of(config.limits);
  const app = createApp({
    solr,
    auth,
    datasets,
    storage,
    status,
    flavours,
    dataRoots: config.dataRoots,
    rights:
      config.rights.mode === "posix"
        ? new FileRights({ tools: findTools(), hides: config.rights.hides })
        : undefined,
    registration: new RegistrationRule(config.userDataFolders, machineLookups()),
    clock: Date.now,
    scrape: config.metrics.port === undefined ? (scrape ?? (() => metrics.text())) : undefined,
    readCaller: readCaller({
      baseUrl: config.baseUrl,
      listening: () => address,
      trustProxy: config.trustProxy,
      trustedHosts: config.trustedHosts,
    }),
    document: await readDocument(pathOf(config.baseUrl)),
    logger,
    corsOrigins: config.corsOrigins,
    ...{ userDataLimit: config.userDataLimit, limits },
    checkReplies: process.env.CHECK_REPLIES === "1",
  });
  const server = createHttpServer(app, logger, {
    limits: config.connections,
    path: pathOf(config.baseUrl),
    observers: [
      ...[requestLog(logger), metrics.observer, ...(audit?.observers ?? [])],
      ...(limits === undefined ? [] : [limits]),
    ],
  });
  metrics.watch(server);
  return {
    server,
    metrics,
    listensOn: (where) => {
      address = where;
    },
    close: async () => {
      unfollow();
      status.close();
      metrics.close();
      await Promise.all([auth.close(), datasets.close(), audit?.close()]);
    },
  };
}

/** Ends connections that have nothing to do; the others may go on for a while. @param drained settles when all have ended */
export async function drain(server: Server, drained: Promise<unknown>): Promise<void> {
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await drained;
  clearTimeout(timer);
}
