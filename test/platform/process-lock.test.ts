/** A lock between processes, and claims in its folder that cannot be read. */
import { lstat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tryLock } from "../../src/platform/processes/process-lock.js";
import { freshFolder } from "../support/run/folders.js";

/** Greater than any process number of Linux. */
const NO_PROCESS = 2 ** 30;

describe("a lock", () => {
  it("is held by one at a time, until it is released", async () => {
    const folder = freshFolder();
    const lock = await tryLock(folder);
    expect(await tryLock(folder)).toEqual({ holder: process.pid });
    if ("release" in lock) await lock.release();
    expect(await tryLock(folder)).toHaveProperty("release");
  });

  /** A claim that cannot be read, also by root: a link to itself. */
  async function unreadable(pid: number): Promise<[folder: string, claim: string]> {
    const folder = freshFolder();
    const claim = join(folder, `${pid}-0123456789ab.json`);
    await symlink(claim, claim);
    return [folder, claim];
  }

  it("is held by a running process whose claim cannot be read", async () => {
    const [folder, claim] = await unreadable(process.ppid);
    expect(await tryLock(folder)).toEqual({ holder: process.ppid });
    expect((await lstat(claim)).isSymbolicLink()).toBe(true);
  });

  it("is free if the process of such a claim has ended", async () => {
    const [folder, claim] = await unreadable(NO_PROCESS);
    expect(await tryLock(folder)).toHaveProperty("release");
    await expect(lstat(claim)).rejects.toThrow(/ENOENT/);
  });

  it("is free if a claim is damaged", async () => {
    const folder = freshFolder();
    await writeFile(join(folder, `${process.ppid}-0123456789ab.json`), "{}");
    expect(await tryLock(folder)).toHaveProperty("release");
  });
});
