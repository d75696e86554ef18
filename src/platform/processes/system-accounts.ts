/** The user accounts of this machine, from all sources of its name service (NSS). */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { isMissing } from "../errors.js";
import { scrubbedEnvironment } from "./scrubbed-environment.js";

const run = promisify(execFile);

const TIMEOUT_MS = 5000;

/** Lower ids are of system accounts. */
const MIN_UID = 1000;
/** The ids of `nobody`, which stands for unknown users: 16 and 32 bits. */
const NOBODY = new Set([65_534, 4_294_967_294]);
/** Upper limit of ids, exclusive. */
export const MAX_ID = 4_294_967_295;

/** Whether a user id belongs to a person. */
export const isPerson = (uid: number): boolean =>
  Number.isSafeInteger(uid) && uid >= MIN_UID && uid < MAX_ID && !NOBODY.has(uid);

export interface SystemAccount {
  readonly name: string;
  readonly uid: number;
  /** The primary group. */
  readonly gid: number;
}

const options = () => ({ timeout: TIMEOUT_MS, env: scrubbedEnvironment() });

/** The line of an account in the format of passwd(5). @param key name or user id */
async function passwdLine(key: string): Promise<string> {
  try {
    return (await run("getent", ["passwd", "--", key], options())).stdout;
  } catch (error) {
    if (!isMissing(error)) return "";
  }
  // A machine without getent.
  const all = await readFile("/etc/passwd", "utf8").catch(() => "");
  const isIt = (line: string): boolean => line.startsWith(`${key}:`) || line.split(":")[2] === key;
  return all.split("\n").find(isIt) ?? "";
}

async function accountIn(key: string): Promise<SystemAccount | undefined> {
  const line = (await passwdLine(key)).split("\n")[0] ?? "";
  const [name = "", , uid = "", gid = ""] = line.split(":");
  return /^\d+$/.test(uid) ? { name, uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The account with exactly this name; undefined if there is none, or the name service fails. */
export async function accountNamed(name: string): Promise<SystemAccount | undefined> {
  const found = await accountIn(name);
  // getent accepts numbers too, and some directories ignore case.
  return found?.name === name ? found : undefined;
}

/** The account of a user id; undefined if there is none, or the name service fails. */
export async function accountOf(uid: number): Promise<SystemAccount | undefined> {
  const found = await accountIn(String(uid));
  return found?.uid === uid ? found : undefined;
}

/** The ids of all groups of an account; only the primary group if the name service fails. */
export async function groupsOf({ name, gid }: SystemAccount): Promise<number[]> {
  const output = await run("id", ["-G", "--", name], options()).catch(() => undefined);
  const ids = (output?.stdout ?? "").split(/\s+/).filter((id) => /^\d+$/.test(id));
  return [...new Set([gid, ...ids.map(Number)])];
}
