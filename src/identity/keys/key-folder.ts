/** Signing keys in a folder, one file per key. Several instances on one machine may share it. */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { JWK } from "jose";
import { inTime } from "../../platform/concurrency/in-time.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { isMissing, refusalOf } from "../../platform/errors.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { type Report, reportToStderr } from "../accounts/records.js";
import {
  isKeyId,
  type KeyInspection,
  type KeyStore,
  makeKey,
  outdated,
  type SigningKey,
  signingKey,
} from "./keys.js";

interface KeyFile {
  readonly created: number;
  readonly key: JWK;
}

const ENDING = ".json";
/** Milliseconds after which the folder is read again although no unknown key is named: a new key ends the one before it. */
const MAX_AGE_MS = 10_000;
/** Milliseconds after which requests wait for a reading that has just begun, and for how long. */
const MAX_UNREAD_MS = 30_000;
const PATIENCE_MS = 2000;
const isKeyFile = (name: string): boolean =>
  name.endsWith(ENDING) && isKeyId(name.slice(0, -ENDING.length));

export class KeyFolder implements KeyStore {
  /** From the newest to the oldest. */
  #keys: readonly SigningKey[] = [];
  /** Names of files that are no valid keys. They are not read again, as key files never change. */
  readonly #broken = new Set<string>();
  /** Names of files that cannot be read, until they can. */
  readonly #unreadable = new Set<string>();
  /** When the last complete reading of the folder began, by `#monotonic`. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** When a request last began a reading. */
  #triedAt = Number.NEGATIVE_INFINITY;
  readonly #renewing = new SingleFlight<readonly SigningKey[]>();
  #renewed: Promise<readonly SigningKey[]> = Promise.resolve([]);
  readonly #folder: string;
  readonly #report: Report;
  readonly #monotonic: () => number;

  /**
   * @param folder created if missing, accessible only to its owner
   * @param report gets one line for each file that is no valid key, or cannot be read; by default on standard error
   */
  constructor(
    folder: string,
    report: Report = reportToStderr,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#folder = folder;
    this.#report = report;
    this.#monotonic = monotonic;
  }

  async open(): Promise<void> {
    await makePrivateFolder(this.#folder);
    if ((await this.known()).length === 0) await this.add();
  }

  async cached(): Promise<readonly SigningKey[]> {
    const now = this.#monotonic();
    if (now - this.#readAt < MAX_AGE_MS) return this.#keys;
    if (now - this.#triedAt >= MAX_AGE_MS) {
      this.#triedAt = now;
      this.#renewed = this.#renewing.join(() => this.known()).catch(() => this.#keys);
    }
    // While the folder cannot be read, or hangs, the known keys still verify tokens.
    const isWaiting = now - this.#readAt >= MAX_UNREAD_MS && now - this.#triedAt < PATIENCE_MS;
    return isWaiting ? inTime(this.#renewed, PATIENCE_MS, () => this.#keys) : this.#keys;
  }

  /** Reads only new files: key files never change. */
  async known(): Promise<readonly SigningKey[]> {
    const begun = this.#monotonic();
    const names = (await readdir(this.#folder)).filter(
      (name) => isKeyFile(name) && !this.#broken.has(name),
    );
    const known = new Map(this.#keys.map((key) => [`${key.kid}${ENDING}`, key]));
    if (names.length !== known.size || names.some((name) => !known.has(name))) {
      const keys = await Promise.all(
        names.map(async (name) => known.get(name) ?? (await this.#read(name))),
      );
      this.#keys = keys
        .filter((key) => key !== undefined)
        .sort((a, b) => b.created - a.created || (a.kid < b.kid ? -1 : 1));
    }
    this.#readAt = begun;
    return this.#keys;
  }

  refresh(): Promise<readonly SigningKey[]> {
    return this.known();
  }

  /** The file has mode 0600. @param now milliseconds since 1970 */
  async add(now = Date.now()): Promise<string> {
    await makePrivateFolder(this.#folder);
    const { kid, key } = await makeKey();
    // The clock may have been ahead, but the new key must be the newest.
    const [newest] = await this.known();
    const created = newest !== undefined && newest.created > now ? newest.created + 1 : now;
    const file: KeyFile = { created, key };
    await writePrivateFile(join(this.#folder, kid + ENDING), `${JSON.stringify(file)}\n`);
    return kid;
  }

  async prune(now = Date.now()): Promise<void> {
    for (const { kid } of outdated(await this.known(), now)) {
      await rm(join(this.#folder, kid + ENDING), { force: true });
    }
  }

  async inspect(): Promise<KeyInspection> {
    const keys = await this.known().catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return { created: keys.map(({ created }) => created), canSign: keys.length > 0 };
  }

  async #read(name: string): Promise<SigningKey | undefined> {
    const path = join(this.#folder, name);
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      // The file was removed after the listing.
      if (isMissing(error)) return undefined;
      if (!this.#unreadable.has(name))
        this.#report(`${path} cannot be read and is ignored (${refusalOf(error)}).`);
      this.#unreadable.add(name);
      return undefined;
    });
    if (text === undefined) return undefined;
    this.#unreadable.delete(name);
    try {
      const { created, key } = JSON.parse(text) as KeyFile;
      return await signingKey(name.slice(0, -ENDING.length), created, key);
    } catch (error) {
      this.#broken.add(name);
      // The parser's message would show a part of the key.
      const reason =
        error instanceof SyntaxError ? "it is not JSON" : "its content does not match its name";
      this.#report(`${path} is not a valid key and is ignored: ${reason}.`);
      return undefined;
    }
  }
}
