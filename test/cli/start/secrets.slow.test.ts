/** Secret settings stay within the service: no process that it starts gets one, neither for long nor for a moment. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Token } from "../../../generated/schemas.js";
import { scrubbedEnvironment } from "../../../src/platform/processes/scrubbed-environment.js";
import { environment } from "../../../src/server/settings/environment.js";
import { findAcl } from "../../support/programs/acl.js";
import { freshFolder } from "../../support/run/folders.js";
import { processesWith, Serving, type Settings, STATE_KEY, testSolrSettings } from "../command.js";

const PATIENCE = { timeout: 300_000 };
const AUDIT_KEY = "a-key-of-the-audit";
const CLIENT_SECRET = "a-secret-of-the-client";
/** Programs that the service looks up in PATH. */
const PROGRAMS = ["java", "mvn", "getent", "id", "getfacl", "ps"];

/** For the rights of accounts. */
const tools = findAcl();

const folder = freshFolder();
let dataDir: string;
let records: string;
let path: string;

/** Puts a program before each of PROGRAMS that writes its environment down. */
async function recordPrograms(): Promise<void> {
  const bin = join(folder, "bin");
  records = join(folder, "records");
  await Promise.all([mkdir(bin), mkdir(records)]);
  for (const name of PROGRAMS) {
    const found = name === "getfacl" ? tools?.getfacl : spawnable(name);
    if (found === undefined) continue;
    const script = `#!/bin/sh\nenv > '${records}'/${name}.$$\nexec '${found}' "$@"\n`;
    await writeFile(join(bin, name), script);
    await chmod(join(bin, name), 0o755);
  }
  path = `${bin}:${process.env.PATH}`;
}

function spawnable(name: string): string | undefined {
  try {
    return execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

beforeAll(() => recordPrograms(), 300_000);

/** The environments of all processes below one, by process number. */
function below(pid: number): ReadonlyMap<number, string> {
  const parents = processesWith("").map(({ pid: one, environment }) => {
    const [, parent = "0"] = /^PPid:\s+(\d+)$/m.exec(textOf(one, "status")) ?? [];
    return { pid: one, parent: Number(parent), environment };
  });
  const found = new Map<number, string>();
  const visit = (parent: number): void => {
    for (const one of parents.filter((child) => child.parent === parent)) {
      found.set(one.pid, one.environment);
      visit(one.pid);
    }
  };
  visit(pid);
  return found;
}

function textOf(pid: number, name: "environ" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/**
 * The environment of a process once its program has begun: until then it is a copy of the service, with the service's environment.
 *
 * @param first as it was found
 */
function begun(pid: number, first: string, own: string): string {
  let text = first;
  const end = performance.now() + 1000;
  while (text === own && performance.now() < end) text = textOf(pid, "environ");
  return text;
}

/** Uses a service, and gives the environments of all processes that it had meanwhile. */
async function environmentsOf(settings: Settings, use: (service: Serving) => Promise<void>) {
  dataDir = join(freshFolder(), "var");
  const service = await Serving.start({
    DATA_DIR: dataDir,
    PATH: path,
    JAVA_HOME: "",
    ...settings,
  });
  const seen = new Map<number, string>();
  const own = textOf(service.pid, "environ");
  const look = () => {
    for (const [pid, text] of below(service.pid)) seen.set(pid, begun(pid, text, own));
  };
  const timer = setInterval(look, 20);
  try {
    await use(service);
    look();
  } finally {
    clearInterval(timer);
    await service.end();
  }
  const written = await readdir(records);
  const short = await Promise.all(written.map((name) => readFile(join(records, name), "utf8")));
  return { all: [...seen.values(), ...short], programs: written.map((name) => name.split(".")[0]) };
}

const status = async (service: Serving): Promise<void> => {
  const response = await service.get("/ready");
  expect(response.status, service.output).toBe(200);
  // Looks at the folders of data in processes of their own.
  await vi.waitFor(async () => expect((await service.get("/status")).status).toBe(200));
};

describe("a process that a service starts", () => {
  it(
    "has no secret setting with an outside Solr, a provider and several workers",
    PATIENCE,
    async () => {
      const { SOLR_URL = "", SOLR_USER = "", SOLR_PASSWORD = "" } = testSolrSettings();
      expect(SOLR_PASSWORD).not.toBe("");
      const [first = "", ...others] = SOLR_URL.split(",");
      const url = new URL(first);
      url.username = SOLR_USER;
      url.password = SOLR_PASSWORD;
      const { all } = await environmentsOf(
        {
          ...testSolrSettings(),
          SOLR_URL: [url.href, ...others].join(","),
          STATE_KEY,
          AUDIT: "stdout",
          AUDIT_KEY,
          WORKERS: "2",
          OIDC_DISCOVERY_URL: "http://127.0.0.1:1/.well-known/openid-configuration",
          OIDC_CLIENT_ID: "climate",
          OIDC_CLIENT_SECRET: CLIENT_SECRET,
        },
        status,
      );
      expect(all.filter((text) => text.includes(dataDir)).length).toBeGreaterThanOrEqual(2);
      for (const secret of [STATE_KEY, AUDIT_KEY, CLIENT_SECRET, SOLR_PASSWORD]) {
        expect(all.filter((text) => text.includes(secret))).toEqual([]);
      }
    },
  );

  it.skipIf(tools === undefined)(
    "has no secret setting with its own Solr, reading files by the rights of accounts",
    PATIENCE,
    async () => {
      const { all, programs } = await environmentsOf(
        {
          AUDIT: "stdout",
          AUDIT_KEY,
          FILE_RIGHTS: "posix",
          SOLR_HEAP: "256m",
        },
        async (service) => {
          await status(service);
          const password = /username demo, password (\S+)/.exec(service.output)?.[1] ?? "";
          const body = new URLSearchParams({ username: "demo", password });
          const token = await service.get("/auth/v2/token", { method: "POST", body });
          const { access_token } = (await token.json()) as Token;
          const headers = { authorization: `Bearer ${access_token}` };
          const query = "source_id=MPI-ESM1-2-LR&variable_id=tas&dataset=sample";
          const streams = await service.get(`/databrowser/load/cmip6?${query}`, { headers });
          const [stream = ""] = (await streams.text()).split("\n");
          // Looks up the account of demo, whether the machine has one or not.
          expect([200, 403]).toContain((await fetch(`${stream}/.zmetadata`, { headers })).status);
        },
      );
      expect(programs).toEqual(expect.arrayContaining(["java", "getent"]));
      expect(all.filter((text) => text.includes(AUDIT_KEY))).toEqual([]);
    },
  );
});

it("lacks the settings that are marked as secret, and nothing else", () => {
  const names = [...Object.keys(environment.shape), "PATH", "NEXUS_PASSWORD"];
  const all = Object.fromEntries(names.map((name) => [name, "x"]));
  const left = Object.keys(scrubbedEnvironment(all));
  expect(names.filter((name) => !left.includes(name)).sort()).toEqual(
    ["AUDIT_KEY", "OIDC_CLIENT_SECRET", "SOLR_PASSWORD", "SOLR_URL", "STATE_KEY"].sort(),
  );
});
