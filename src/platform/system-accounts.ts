/** The accounts of the machine, from wherever it has them (NSS). */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { isMissing } from "./errors.js";

const run = promisify(execFile);

/** Milliseconds in which a directory of accounts must have answered. */
const PATIENCE = 5000;

/** Below it are accounts of the system, which are nobody's own. */
const MIN_UID = 1000;
/** Who stands for everybody that the machine does not know: `nobody`, in both of its widths. */
const NOBODY = new Set([65_534, 4_294_967_294]);
/** Ids are below it. */
export const MAX_ID = 4_294_967_295;

/** Whether a user id is that of a person. */
export const isPerson = (uid: number): boolean =>
  Number.isSafeInteger(uid) && uid >= MIN_UID && uid < MAX_ID && !NOBODY.has(uid);

export interface SystemAccount {
  readonly name: string;
  readonly uid: number;
  /** Of its first group. */
  readonly gid: number;
}

/** The line of an account in the form of passwd(5). @param key its name, or its user id */
async function passwdLine(key: string): Promise<string> {
  try {
    return (await run("getent", ["passwd", "--", key], { timeout: PATIENCE })).stdout;
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

/** The account of exactly this name; undefined where there is none, or the directory fails. */
export async function accountNamed(name: string): Promise<SystemAccount | undefined> {
  const found = await accountIn(name);
  // getent also takes a number for a name, and a directory may not tell cases apart.
  return found?.name === name ? found : undefined;
}

/** The account of a user id. */
export async function accountOf(uid: number): Promise<SystemAccount | undefined> {
  const found = await accountIn(String(uid));
  return found?.uid === uid ? found : undefined;
}

/** The ids of all groups of an account, its first among them; that alone where the directory fails. */
export async function groupsOf({ name, gid }: SystemAccount): Promise<number[]> {
  const told = await run("id", ["-G", "--", name], { timeout: PATIENCE }).catch(() => undefined);
  const ids = (told?.stdout ?? "").split(/\s+/).filter((id) => /^\d+$/.test(id));
  return [...new Set([gid, ...ids.map(Number)])];
}
