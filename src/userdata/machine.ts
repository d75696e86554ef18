/** What this machine knows: the user ids of its accounts, and where folders really are. */
import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { promisify } from "node:util";
import { LRUCache } from "lru-cache";
import type { MachineLookups } from "./registration-rule.js";

const run = promisify(execFile);

/** Milliseconds for which an answer is taken for true: people come and go, and folders are mounted. */
const REMEMBERED = 30_000;
/** Milliseconds in which a directory of accounts must have answered. */
const PATIENCE = 5000;

/** The line of an account in the form of passwd(5), from wherever the machine has its accounts. */
async function passwdLine(name: string): Promise<string> {
  try {
    return (await run("getent", ["passwd", "--", name], { timeout: PATIENCE })).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return "";
  }
  // A machine without getent.
  const all = await readFile("/etc/passwd", "utf8").catch(() => "");
  return all.split("\n").find((line) => line.startsWith(`${name}:`)) ?? "";
}

async function uidOf(name: string): Promise<number | undefined> {
  const [found, , uid = ""] = (await passwdLine(name)).split("\n")[0]?.split(":") ?? [];
  // getent also takes a number for a name, and a directory may not tell cases apart.
  return found === name && /^\d+$/.test(uid) ? Number(uid) : undefined;
}

export function machineLookups(): MachineLookups {
  const uids = new LRUCache<string, Promise<number | undefined>>({ max: 1000, ttl: REMEMBERED });
  const folders = new LRUCache<string, Promise<string>>({ max: 1000, ttl: REMEMBERED });
  const remembered = <T extends {}>(known: LRUCache<string, T>, key: string, look: () => T): T => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = look();
    known.set(key, found);
    return found;
  };
  return {
    uidOf: (name) => remembered(uids, name, () => uidOf(name)),
    realPath: (folder) => remembered(folders, folder, () => realpath(folder).catch(() => folder)),
  };
}
