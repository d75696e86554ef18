import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateFolder, writePrivateFile } from "../private-files.js";
import { identify, isRunning, type ProcessIdentity } from "./process-identity.js";
import { SetupError } from "./setup-error.js";

/** A second service on one data folder. */
export class DataDirInUse extends SetupError {
  override readonly name = "DataDirInUse";
  constructor(
    readonly pid: number,
    readonly dataDir: string,
  ) {
    super(
      `Another climate-nextgen (process ${pid}) already uses the data folder ${dataDir}; stop it or set DATA_DIR.`,
    );
  }
}

export interface Lock {
  release(): Promise<void>;
}

/**
 * The data folder for this process alone, until `release` or the process ends. Throws DataDirInUse, and
 * SetupError when there can be no such folder.
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  await makePrivateFolder(dataDir).catch((cause: NodeJS.ErrnoException) => {
    throw new SetupError(
      `The data folder ${resolve(dataDir)} cannot be used (${cause.code}); set DATA_DIR to another.`,
      { cause },
    );
  });
  const outcome = await tryLock(join(dataDir, "service.lock"));
  if ("holder" in outcome) throw new DataDirInUse(outcome.holder, resolve(dataDir));
  return outcome;
}

/** Waits for the lock until it is free; `onWait` is called once, with the holder, before waiting. */
export async function waitForLock(folder: string, onWait: (holder: number) => void): Promise<Lock> {
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryLock(folder);
    if (!("holder" in outcome)) return outcome;
    if (tries === 0) onWait(outcome.holder);
    await sleep(300);
  }
}

/**
 * Each starter puts a claim of its own, under a name nobody uses again, into the folder and then looks whether
 * another living process has one. Whoever comes second sees the first, so two can never both hold it, and a
 * dead process's claim can be removed without taking away a living one's. Two that start in the same moment
 * see each other: both step back and try again after a random pause.
 */
async function tryLock(folder: string): Promise<Lock | { holder: number }> {
  await makePrivateFolder(folder);
  const self = await identify(process.pid);
  if (self === undefined) throw new Error("This process cannot see its own start time.");
  for (let tries = 0; ; tries += 1) {
    const claim = `${process.pid}-${randomBytes(6).toString("hex")}.json`;
    const path = join(folder, claim);
    await writePrivateFile(path, JSON.stringify({ ...self, since: Date.now() }));
    const other = await livingClaim(folder, claim);
    if (other === undefined) return { release: () => rm(path, { force: true }) };
    await rm(path, { force: true });
    if (tries >= 5 || Date.now() - other.since > 1000) return { holder: other.pid };
    await sleep(20 + Math.random() * 150);
  }
}

interface Claim extends ProcessIdentity {
  readonly since: number;
}

async function livingClaim(folder: string, own: string): Promise<Claim | undefined> {
  let living: Claim | undefined;
  for (const name of await readdir(folder)) {
    if (name === own || !name.endsWith(".json")) continue;
    const path = join(folder, name);
    const claim = await readClaim(path);
    if (claim === undefined) continue;
    if (await isRunning(claim)) living ??= claim;
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
    return { pid, started, since };
  } catch {
    // Released between the listing and the reading.
    return undefined;
  }
}
