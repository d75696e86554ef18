/** Runs the real service with its sample catalogue as a process with its own data folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findRunningSolr } from "../src/index/embedded/running.js";
import { SolrHttp } from "../src/index/transport/http.js";
import { packagePath } from "../src/platform/package-root.js";
import type { Target } from "./trial.js";

const MAIN = packagePath("dist", "src", "main.js");
const EMAIL = "sdk@example.org";

export interface SampleService extends Target {
  readonly email: string;
  stop(): Promise<void>;
}

/** Reads the address from the line `Listening on ...`. */
async function listening(service: ChildProcess): Promise<string> {
  if (service.stdout === null) throw new Error("the service has no output");
  const lines = createInterface({ input: service.stdout });
  return new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      const [, address] = /^Listening on (\S+)$/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    service.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

/** Starts the service with an account. */
export async function startSampleService(): Promise<SampleService> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-sdk-"));
  const { SOLR_URL: _, ...rest } = process.env;
  const env = { ...rest, DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error" };
  const service = spawn(process.execPath, [MAIN, "serve"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await listening(service);
  const endpoint = await findRunningSolr(dataDir);
  if (endpoint === undefined) throw new Error("the service runs, but its Solr is not found");
  const solr = new SolrHttp(endpoint, 20_000);
  const account = { username: "sdk", password: randomUUID() };
  const add = ["users", "add", account.username, "--email", EMAIL, "--password-stdin"];
  spawnSync(process.execPath, [MAIN, ...add], { env, input: account.password });
  return {
    ...account,
    address,
    email: EMAIL,
    stored: async (file) => {
      const { text } = await solr.send({ path: `files/get?${new URLSearchParams({ id: file })}` });
      return (JSON.parse(text) as { doc: Record<string, unknown> | null }).doc ?? undefined;
    },
    stop: async () => {
      const ended = once(service, "exit");
      service.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
