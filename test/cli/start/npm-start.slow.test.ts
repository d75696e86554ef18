/** `npm start` as a process: what a signal to npm ends, and what is found before anything is installed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../../support/run/folders.js";
import {
  build,
  javaOf,
  oneLine,
  processesWith,
  run,
  STATE_KEY,
  testSolrSettings,
} from "../command.js";

/** A start takes seconds, but on a busy machine many. */
const PATIENCE = { timeout: 120_000 };

let npm: ChildProcess | undefined;
let dataDir: string;

beforeAll(build);
afterEach(() => {
  npm?.kill("SIGKILL");
  for (const { pid } of services()) process.kill(pid, "SIGKILL");
});

/** All processes below npm that serve, by their environment. */
const services = () =>
  processesWith("start.mjs").filter(({ environment }) => environment.includes(dataDir));

function npmStart(folder: string, env: Record<string, string>): ChildProcess {
  npm = spawn("npm", ["start"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return npm;
}

/** Starts a service by npm, and gives its address once it listens. */
async function start(env: Record<string, string>): Promise<string> {
  dataDir = freshFolder();
  const child = npmStart(packagePath(), { PORT: "0", DATA_DIR: dataDir, ...env });
  let output = "";
  child.stderr?.on("data", (piece) => {
    output += piece;
  });
  for await (const piece of child.stdout ?? []) {
    output += piece;
    const address = /^Listening on (\S+)$/m.exec(output)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`npm start ended:\n${output}`);
}

async function expectNothingLeft(address: string): Promise<void> {
  await expect.poll(services, { timeout: 30_000 }).toEqual([]);
  await expect(fetch(address)).rejects.toThrow();
}

describe("a signal to npm", () => {
  it("ends the service and its Solr", PATIENCE, async () => {
    const address = await start({});
    expect(javaOf(dataDir)).toHaveLength(1);
    npm?.kill("SIGTERM");
    await expectNothingLeft(address);
    await expect.poll(() => javaOf(dataDir), { timeout: 30_000 }).toEqual([]);
  });

  it("ends the service also if the shell in between forwards nothing", PATIENCE, async () => {
    const shell = join(freshFolder(), "shell");
    // A command after it, so that no shell puts the other in its own place.
    await writeFile(shell, '#!/bin/sh\n/bin/sh "$@"\nstatus=$?\nexit $status\n', { mode: 0o755 });
    const address = await start({
      ...testSolrSettings(),
      STATE_KEY,
      npm_config_script_shell: shell,
    });
    npm?.kill("SIGTERM");
    await expectNothingLeft(address);
  });

  it("ends the service if it kills npm", PATIENCE, async () => {
    const address = await start({ ...testSolrSettings(), STATE_KEY });
    npm?.kill("SIGKILL");
    await expectNothingLeft(address);
  });
});

describe("a port in use", () => {
  it("is reported before anything is installed, in the words of serve", PATIENCE, async () => {
    dataDir = freshFolder();
    const folder = join(dataDir, "clone");
    await mkdir(folder);
    for (const name of ["package.json", "package-lock.json", "scripts"]) {
      await cp(packagePath(name), join(folder, name), { recursive: true });
    }
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const PORT = String((server.address() as AddressInfo).port);
    try {
      const child = npmStart(folder, { PORT, npm_config_loglevel: "silent" });
      let stderr = "";
      child.stderr?.on("data", (piece) => {
        stderr += piece;
      });
      child.stdout?.resume();
      expect(await once(child, "close")).toEqual([1, null]);
      expect(existsSync(join(folder, "node_modules"))).toBe(false);
      const serve = await run(["serve"], { settings: { PORT, DATA_DIR: dataDir } });
      expect(oneLine(stderr)).toBe(oneLine(serve.stderr));
      expect(stderr).toContain(`Port ${PORT} on 127.0.0.1 is in use`);
    } finally {
      server.close();
    }
  });
});
