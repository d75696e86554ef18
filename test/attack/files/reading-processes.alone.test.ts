/** The processes that read foreign files: what they have in reach, and how they end. */
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyFolder } from "../../../src/identity/accounts/accounts.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience } from "../../support/run/trials.js";
import { percentile99, pinging, type Reading, readersOf, serveFolder } from "./reading.js";

const SPINNING = [0, 1, 2, 3, 4, 5].map((i) => `spinning_${i}.h5`);
const folder = freshFolder();
let reading: Reading;

beforeAll(async () => {
  await runPython([
    packagePath("test", "attack", "files", "make_hostile.py"),
    folder,
    "spinning",
    "good",
  ]);
  reading = await serveFolder(folder, [...SPINNING, "good.h5", "fine.h5"]);
});
afterAll(() => reading.close());

const spoil = (name: string, key = "v/0.0.0"): Promise<Response> =>
  reading.read(name, key, reading.tokens[0]);
const good = (chunk: number, name = "good.h5"): Promise<Response> =>
  reading.read(name, `v/${chunk}.0.0`, reading.tokens[1]);

/** Processor time that a process has used, in ticks. */
function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

describe("a process that reads files", () => {
  it("has no environment, no descriptor of the service and another working directory", async () => {
    expect((await good(0)).status).toBe(200);
    const readers = reading.readers();
    expect(readers.length).toBeGreaterThan(0);
    for (const pid of readers) {
      // The shell adds where it is.
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").slice(0, -1);
      expect(variables.filter((one) => !/^(LD_LIBRARY_PATH|PWD)=/.test(one))).toEqual([]);
      expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
      const names = readdirSync(`/proc/${pid}/fd`);
      const open = names.map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      for (const target of open) expect(target).toMatch(/^(anon_inode|pipe|socket|\/dev\/null)/);
      const listening =
        readFileSync("/proc/net/tcp", "utf8") + readFileSync("/proc/net/tcp6", "utf8");
      for (const target of open) {
        const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? [];
        if (inode !== undefined) expect(listening).not.toContain(` ${inode} `);
      }
    }
  });

  it("can open neither keys nor anything else that is not below the data roots", async () => {
    const built = pathToFileURL(
      packagePath("dist", "src", "files", "zarr", "worker", "pool.js"),
    ).href;
    const { ReadingPool } = (await import(
      built
    )) as typeof import("../../../src/files/zarr/worker/pool.js");
    // As a service has them that shares nothing, and as one that does.
    const keys = keyFolder(reading.dataDir);
    await mkdir(keys, { mode: 0o700 });
    for (const path of [
      join(keys, "key.json"),
      join(reading.dataDir, "users.json"),
      join(reading.dataDir, "state.key"),
    ]) {
      await writeFile(path, "secret\n", { mode: 0o600 });
    }
    const secrets = [
      ...readdirSync(keys).map((name) => join(keys, name)),
      join(reading.dataDir, "users.json"),
      join(reading.dataDir, "state.key"),
      "/proc/self/environ",
      `/proc/${reading.serving.pid}/environ`,
      packagePath("package-lock.json"),
    ];
    expect(secrets).toHaveLength(6);
    const confined = new ReadingPool({ dataRoots: [folder] });
    const free = new ReadingPool();
    for (const path of secrets) {
      const tried = confined.run({ kind: "index", path });
      await expect(tried, path).rejects.toMatchObject({ kind: "file-unreachable" });
    }
    const index = await confined.run({ kind: "index", path: join(folder, "good.h5") });
    expect(index.format).toBe("NetCDF-4/HDF5");
    // It is the permission, and not the file: whoever may open it sees that it is no data.
    const allowed = free.run({ kind: "index", path: secrets[0] ?? "" });
    await expect(allowed).rejects.toMatchObject({ kind: "not-readable-format" });
    await Promise.all([confined.close(), free.close()]);
  });
});

describe("decoders that do not return", () => {
  it(
    "delay nobody else, end with their processes, and are not tried for ever",
    async () => {
      await Promise.all([good(0), good(1, "fine.h5")]);
      const pings = pinging(reading.serving);
      let isOver = false;
      const statuses: number[] = [];
      const attack = SPINNING.map(async (name, i) => {
        for (let chunk = i; !isOver; chunk += 1) {
          const response = await spoil(name, `v/${chunk % 8}.0.0`);
          statuses.push(response.status);
          await response.arrayBuffer();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      });
      const times: number[] = [];
      const count = attempts(14, 400);
      for (let i = 0; i < count; i++) {
        const begin = performance.now();
        const response = await good(2 + (i % 60), i % 2 === 0 ? "good.h5" : "fine.h5");
        expect(response.status).toBe(200);
        expect((await response.arrayBuffer()).byteLength).toBe(256 * 256 * 4);
        times.push(performance.now() - begin);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      isOver = true;
      await Promise.all(attack);
      expect(Math.max(...times)).toBeLessThan(2500);
      expect(new Set(statuses)).toEqual(new Set([503]));
      expect(percentile99(await pings())).toBeLessThan(200);
      // What was asked for last is over, too: nobody works any more.
      const left = reading.readers();
      const before = left.map(ticks);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(
        left
          .map(ticks)
          .map((now, i) => now - (before[i] ?? 0))
          .filter((used) => used > 10),
      ).toEqual([]);
    },
    patience(60_000),
  );

  it("quarantine their file for a while, with 503 at once", async () => {
    for (let i = 0; i < 4; i++) await (await spoil("spinning_0.h5", `v/${i}.0.0`)).arrayBuffer();
    const begin = performance.now();
    const response = await spoil("spinning_0.h5", "v/7.0.0");
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(performance.now() - begin).toBeLessThan(500);
  });
});

/** What has ended may still be listed, until somebody asks how. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("reading processes", () => {
  const gone = async (pid: number, readers: readonly number[]): Promise<void> => {
    await expect.poll(() => readersOf(pid), { timeout: 5000 }).toEqual([]);
    await expect.poll(() => readers.filter(isRunning), { timeout: 5000 }).toEqual([]);
  };

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "end with the service at %s, whatever they do",
    async (signal) => {
      const other = await serveFolder(folder, [...SPINNING, "good.h5"]);
      const token = other.tokens[0];
      expect((await other.read("good.h5", "v/0.0.0", token)).status).toBe(200);
      const stuck = other.read("spinning_1.h5", "v/0.0.0", token).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 700));
      const readers = other.readers();
      expect(readers.length).toBeGreaterThan(0);
      const { child, pid } = other.serving;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      await gone(pid, readers);
      await stuck;
      await other.close();
    },
  );
});
