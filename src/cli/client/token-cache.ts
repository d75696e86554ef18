/**
 * Caches tokens in one file of the user's configuration folder, readable by its owner only.
 *
 * A refresh token works once. A process that uses it therefore holds a lock until its successor is cached.
 */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { waitForLock } from "../../platform/processes/process-lock.js";
import type { Token } from "./request-token.js";

export interface CachedToken {
  readonly token: Token;
  readonly username: string;
  /** SHA-256 of the refresh token that the user gave, if any: giving it again finds this entry. */
  readonly origin?: string;
}

/** Milliseconds after which the lock of a process on another machine counts as abandoned. */
const LOCK_TIMEOUT_MS = 120_000;

/** The folder for this program's settings, by the convention of each system. */
function configFolder(): string {
  const { env, platform } = process;
  const home = homedir();
  const parent = {
    win32: env.APPDATA || join(home, "AppData", "Roaming"),
    darwin: join(home, "Library", "Application Support"),
  }[platform as string];
  return join(parent ?? (env.XDG_CONFIG_HOME || join(home, ".config")), "climate-nextgen");
}

export class TokenCache {
  readonly #path: string;
  readonly #folder: string;

  constructor(folder = configFolder()) {
    this.#folder = folder;
    this.#path = join(folder, "tokens.json");
  }

  async read(service: string): Promise<CachedToken | undefined> {
    return (await this.#all())[service];
  }

  /** Runs work under the lock of the file. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await makePrivateFolder(this.#folder);
    const lock = await waitForLock(join(this.#folder, "tokens.lock"), {
      remoteClaimMs: LOCK_TIMEOUT_MS,
    });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  /** Call it only inside `alone`. */
  async write(service: string, cached: CachedToken): Promise<void> {
    const all = { ...(await this.#all()), [service]: cached };
    await writePrivateFile(this.#path, `${JSON.stringify(all, null, 2)}\n`);
  }

  async #all(): Promise<Record<string, CachedToken>> {
    try {
      return JSON.parse(await readFile(this.#path, "utf8")) as Record<string, CachedToken>;
    } catch {
      // A missing or damaged file counts as empty; the next write replaces it.
      return {};
    }
  }
}
