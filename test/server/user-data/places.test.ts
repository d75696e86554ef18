/** What lies where people say that it lies: real files and folders, and a file system that takes its time. */
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { DataUnavailable } from "../../../src/platform/errors.js";
import { FileProbe } from "../../../src/platform/file-system/file-probe.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";

const root = freshFolder();
const at = (name: string): string => join(root, name);

mkdirSync(at("folder/inner"), { recursive: true });
writeFileSync(at("folder/a.nc"), "12345");
symlinkSync("folder", at("link"));
symlinkSync("folder/a.nc", at("to-file"));
symlinkSync(at("folder/missing"), at("dangling"));
symlinkSync("loop", at("loop"));

describe("a resolved path", () => {
  const places = new FileProbe();
  const look = async (path: string) => (await places.resolve([path])).get(path);

  it("has a real path, an inode and an owner if it exists", async () => {
    const { ino, uid, mtimeMs } = statSync(at("folder/a.nc"), { bigint: true });
    const file = { real: at("folder/a.nc"), inode: String(ino), uid: Number(uid) };
    const found = { ...file, size: 5, modified: Number(mtimeMs) };
    for (const path of ["folder/a.nc", "link/a.nc", "to-file", "link/../to-file"]) {
      expect(await look(at(path)), path).toEqual(found);
    }
    const folder = statSync(at("folder"));
    for (const path of ["folder", "link"]) {
      expect(await look(at(path))).toEqual({
        real: at("folder"),
        inode: String(folder.ino),
        uid: folder.uid,
      });
    }
    expect(await look("/")).toMatchObject({ real: "/" });
  });

  it.each([
    ["folder/x", "folder/x"],
    ["link/x/y/z", "folder/x/y/z"],
    ["folder/a.nc/x", "folder/a.nc/x"],
    ["to-file/x/y", "folder/a.nc/x/y"],
    ["dangling", "dangling"],
    ["dangling/x", "dangling/x"],
    ["loop", "loop"],
    ["loop/x", "loop/x"],
    [`folder/${"x".repeat(300)}`, `folder/${"x".repeat(300)}`],
  ])("is that of its nearest folder if it is missing: %s would be at %s", async (path, absent) => {
    expect(await look(at(path))).toEqual({ absent: at(absent) });
  });

  it("is resolved once for each of many paths", async () => {
    const paths = Array.from({ length: 2001 }, (_, index) => at(index % 2 ? `${index}` : "folder"));
    const found = await places.resolve(paths);
    expect([...found.keys()]).toEqual([...new Set(paths)]);
    const many = Array.from({ length: 2001 }, (_, index) => at(`link/${index}`));
    const absent = await places.resolve(many);
    expect(absent.size).toBe(2001);
    for (const path of many) {
      expect(absent.get(path)).toEqual({ absent: path.replace("/link/", "/folder/") });
    }
    expect((await places.resolve([])).size).toBe(0);
  });

  it("is an error if it cannot be resolved, and the next one works", async () => {
    await expect(look(at("a\0b"))).rejects.toThrow(DataUnavailable);
    await expect(look(at("a\0b"))).rejects.toThrow(
      "the file system cannot be asked: ERR_INVALID_ARG_VALUE",
    );
    expect(await look(at("x"))).toEqual({ absent: at("x") });
  });
});

describe("a file system that does not answer", () => {
  /** Some seconds of work: a thousand paths, of which each folder has to be looked for. */
  const slow = Array.from({ length: 1000 }, (_, n) => `/none-${n}${"/x".repeat(1800)}`);
  const PATIENCE = 800;
  const failure = (looking: Promise<unknown>): Promise<string> =>
    looking.then(
      () => "answered",
      (error: Error) => `${error.name}: ${error.message}`,
    );
  /** On a machine that is busy a new thread may take longer than is waited for. */
  const works = (places: FileProbe) =>
    expect.poll(() => failure(places.resolve(["/"]))).toBe("answered");
  const SILENT = "DataUnavailable: the file system does not answer";
  const WAITING = "DataUnavailable: every thread waits for the file system";

  it("is given up in time, and tried again by a thread of its own", async () => {
    const places = new FileProbe({ timeout: PATIENCE });
    const began = Date.now();
    expect(await failure(places.resolve(slow))).toBe(SILENT);
    expect(Date.now() - began).toBeGreaterThanOrEqual(PATIENCE - 5);
    expectBelow(Date.now() - began, PATIENCE * 3);
    await works(places);
    // Those that were given up do not count for ever.
    expect(await failure(places.resolve(slow))).toBe(SILENT);
    await works(places);
  });

  it("occupies three threads at most; later requests wait for one, and get the next that is free", async () => {
    const places = new FileProbe({ timeout: PATIENCE });
    // Threads that are there already, so that all four begin at once.
    await expect
      .poll(() => Promise.all([1, 2, 3].map(() => failure(places.resolve(["/"])))))
      .toEqual(["answered", "answered", "answered"]);
    const stuck = [1, 2, 3].map(() => failure(places.resolve(slow)));
    const fourth = failure(places.resolve(["/"]));
    await pause(PATIENCE * 0.8);
    const fifth = failure(places.resolve([at("folder")]));
    const ends: string[] = [];
    for (const one of stuck) void one.then(() => ends.push("stuck"));
    void fourth.then(() => ends.push("fourth"));
    expect(await Promise.all(stuck)).toEqual([SILENT, SILENT, SILENT]);
    // Its patience ends when theirs does; on a busy machine a thread may be free a little before.
    const outcome = await fourth;
    expect(["answered", SILENT, WAITING]).toContain(outcome);
    if (outcome === "answered") expect(ends[0]).toBe("stuck");
    // On a busy machine a new thread may take longer than is waited for.
    expect(["answered", WAITING]).toContain(await fifth);
    await works(places);
  });
});
