/** A lock between processes: a folder in which each of them has a claim of its own. */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateFolder, writePrivateFile } from "./private-files.js";
import { identify, isRunning, isVisible, type ProcessIdentity } from "./process-identity.js";

export interface Lock {
  release(): Promise<void>;
}

export interface WaitOptions {
  /** Called once, with the holder's process number, before waiting. */
  readonly onWait?: (holder: number) => void;
  /**
   * Milliseconds for which a claim of another machine or container is believed, as nobody here can see whether
   * its process lives; 0 where it is left out.
   */
  readonly believe?: number;
}

/** Milliseconds between two looks at a lock that somebody has, at random so that those who wait do not meet again. */
const PAUSE = { least: 50, most: 300 };

/** Waits for the lock until it is free. A holder that lives keeps it, however long that takes. */
export async function waitForLock(folder: string, options: WaitOptions = {}): Promise<Lock> {
  const { onWait = () => {}, believe = 0 } = options;
  const seen = new Map<string, number>();
  // By this process's own clock since it first saw the claim: those of two machines differ.
  const isBelieved = (claim: string): boolean => {
    const first = seen.get(claim) ?? performance.now();
    seen.set(claim, first);
    return performance.now() - first < believe;
  };
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryLock(folder, isBelieved);
    if (!("holder" in outcome)) return outcome;
    if (tries === 0) onWait(outcome.holder);
    await sleep(PAUSE.least + Math.random() * (PAUSE.most - PAUSE.least));
  }
}

/**
 * Takes the lock, or says who has it.
 *
 * Each starter puts a claim of its own, under a name nobody uses again, into the folder and then looks whether
 * another living process has one. Whoever comes second sees the first, so two can never both hold it, and a
 * dead process's claim can be removed without taking away a living one's. Two that start in the same moment
 * see each other: both step back and try again after a random pause.
 *
 * @param isBelieved whether a claim counts whose process cannot be seen from here
 */
export async function tryLock(
  folder: string,
  isBelieved: (claim: string) => boolean = () => false,
): Promise<Lock | { readonly holder: number }> {
  await makePrivateFolder(folder);
  const self = await identify(process.pid);
  if (self === undefined) throw new Error("This process cannot see its own start time.");
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
    const claim = await readClaim(path);
    if (claim === undefined) continue;
    const holds = (await isVisible(claim)) ? await isRunning(claim) : isBelieved(name);
    if (holds) living ??= claim;
    else await rm(path, { force: true });
  }
  return living;
}

async function readClaim(path: string): Promise<Claim | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value && "started" in value && "since" in value)) return undefined;
    const { pid, started, since } = value;
    if (typeof pid !== "number" || typeof started !== "string" || typeof since !== "number")
      return undefined;
    const place = "place" in value && typeof value.place === "string" ? value.place : undefined;
    return { pid, started, since, ...(place !== undefined && { place }) };
  } catch {
    // Released between the listing and the reading.
    return undefined;
  }
}
