/**
 * Where tokens are kept between runs: one file in the user's configuration folder, for its owner alone.
 *
 * A refresh token works once. So whoever uses the kept one does it alone, and keeps its successor before
 * anybody else reads.
 */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { waitForLock } from "../../platform/process-lock.js";
import type { Token } from "./request-token.js";

export interface KeptToken {
  readonly token: Token;
  readonly username: string;
  /** SHA-256 of the refresh token that was given at first, where one was: it leads to this one. */
  readonly origin?: string;
}

/** Milliseconds after which a process of another machine has been answered, or has ended without a word. */
const BELIEVE = 120_000;

/** The folder for this program's settings, as each system has it. */
export function configFolder(env = process.env, platform = process.platform): string {
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

  /** The token that is kept for a service. */
  async read(service: string): Promise<KeptToken | undefined> {
    return (await this.#all())[service];
  }

  /** Runs work while no other process does. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await makePrivateFolder(this.#folder);
    const lock = await waitForLock(join(this.#folder, "tokens.lock"), { remoteClaimMs: BELIEVE });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  /** Keeps a token for a service; only inside `alone`. */
  async write(service: string, kept: KeptToken): Promise<void> {
    const all = { ...(await this.#all()), [service]: kept };
    await writePrivateFile(this.#path, `${JSON.stringify(all, null, 2)}\n`);
  }

  async #all(): Promise<Record<string, KeptToken>> {
    try {
      return JSON.parse(await readFile(this.#path, "utf8")) as Record<string, KeptToken>;
    } catch {
      // Missing or damaged: then there is nothing, and the next token is kept anew.
      return {};
    }
  }
}
