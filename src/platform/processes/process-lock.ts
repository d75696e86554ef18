/** A lock between processes: a folder in which each process has its own claim file. */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isMissing } from "../errors.js";
import { makePrivateFolder, writePrivateFile } from "../file-system/private-files.js";
import { identify, isRunning, isVisible, type ProcessIdentity } from "./process-identity.js";

export interface Lock {
  release(): Promise<void>;
}

interface WaitOptions {
  /** Called once, with the holder's process number, before waiting. */
  readonly onWait?: (holder: number) => void;
  /**
   * Milliseconds that a claim of another machine or container counts, because its process cannot be checked from here. Left
   * out: 0.
   */
  readonly remoteClaimMs?: number;
}

/** Milliseconds between two attempts, at random so that waiting processes do not stay in step. */
const RETRY_PAUSE_MS = { min: 50, max: 300 };

/** Waits for the lock without a time limit while its holder runs. */
export async function waitForLock(folder: string, options: WaitOptions = {}): Promise<Lock> {
  const { onWait = () => {}, remoteClaimMs: believe = 0 } = options;
  const seen = new Map<string, number>();
  // Measured by this process's clock from when it first saw the claim, as clocks of machines differ.
  const isBelieved = (claim: string): boolean => {
    const first = seen.get(claim) ?? performance.now();
    seen.set(claim, first);
    return performance.now() - first < believe;
  };
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryLock(folder, isBelieved);
    if (!("holder" in outcome)) return outcome;
    if (tries === 0) onWait(outcome.holder);
    await sleep(RETRY_PAUSE_MS.min + Math.random() * (RETRY_PAUSE_MS.max - RETRY_PAUSE_MS.min));
  }
}

/**
 * Takes the lock, or gives the process that holds it.
 *
 * Each process first writes a claim with a unique name and then checks for claims of other running processes. The second
 * of two processes always sees the first, so both can never hold the lock. Claims of ended processes can be removed without
 * removing that of a running one. Two processes that start at the same moment see each other: both withdraw and try again
 * after a random pause.
 *
 * @param isBelieved whether a claim counts if its process cannot be checked from here
 */
export async function tryLock(
  folder: string,
  isBelieved: (claim: string) => boolean = () => false,
): Promise<Lock | { readonly holder: number }> {
  await makePrivateFolder(folder);
  const self = await identify(process.pid);
  if (self === undefined) throw new Error("the start time of this process cannot be read");
  for (let tries = 0; ; tries += 1) {
    const claim = `${process.pid}-${randomBytes(6).toString("hex")}.json`;
    const path = join(folder, claim);
    await writePrivateFile(path, JSON.stringify({ ...self, since: Date.now() }));
    const other = await livingClaim(folder, claim, isBelieved);
    if (other === undefined) return { release: () => rm(path, { force: true }) };
    await rm(path, { force: true });
    if (tries >= 5 || Date.now() - other.since > 1000) return { holder: other.pid };
    await sleep(20 + Math.random() * 150);
  }
}

interface Claim extends ProcessIdentity {
  readonly since: number;
}

async function livingClaim(
  folder: string,
  own: string,
  isBelieved: (claim: string) => boolean,
): Promise<Claim | undefined> {
  let living: Claim | undefined;
  for (const name of await readdir(folder)) {
    if (name === own || !name.endsWith(".json")) continue;
    const path = join(folder, name);
    const claim = await readClaim(folder, name);
    if (claim === undefined) continue;
    const holds = (await isVisible(claim)) ? await isRunning(claim) : isBelieved(name);
    if (holds) living ??= claim;
    else await rm(path, { force: true });
  }
  return living;
}

/** A claim; undefined if it was released after the listing. */
async function readClaim(folder: string, name: string): Promise<Claim | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, name), "utf8");
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    // The claim of another user, such as of a command of root's, cannot be read. Its name has the process.
    const pid = Number.parseInt(name, 10);
    return { pid, started: (await identify(pid))?.started ?? "", since: 0 };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isClaim(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isClaim(value: unknown): value is Claim {
  if (typeof value !== "object" || value === null) return false;
  const { pid, started, since, place } = value as Partial<Record<keyof Claim, unknown>>;
  return (
    typeof pid === "number" &&
    typeof started === "string" &&
    typeof since === "number" &&
    (place === undefined || typeof place === "string")
  );
}
