/**
 * The keys that sign access tokens: a folder with one file a key, shared by all instances.
 *
 * The newest key signs. An older one verifies until the tokens that it signed have expired, counted from
 * when its successor was made. A service looks into the folder before it signs and whenever it meets a key id
 * that it does not know, so a rotation needs no restart and fails no request.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from "jose";
import type { components } from "../../generated/openapi.js";
import { makePrivateFolder, writePrivateFile } from "../private-files.js";
import { type Report, tell } from "./json-file.js";

type JsonWebKey = components["schemas"]["JsonWebKey"];

/** ECDSA with P-256 and SHA-256: what every JWT library can verify. */
export const ALGORITHM = "ES256";

export interface SigningKey {
  readonly kid: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** What the key set shows. */
  readonly jwk: JsonWebKey;
}

interface KeyFile {
  readonly created: number;
  readonly key: JWK;
}

/** Keys that were replaced so long ago are removed from the folder, whatever any token's lifetime. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** For instances whose clocks differ, and that look into the folder at different moments. */
const MARGIN_MS = 60_000;
/** A key id is the key's thumbprint (RFC 7638), and never used as a path. */
const FILE_NAME = /^([A-Za-z0-9_-]{43})\.json$/;

/**
 * Makes a new key, which signs from now on.
 *
 * @param folder made if it is missing, for its owner alone; the file has mode 0600
 * @returns the new key's id
 */
export async function addKey(folder: string, now = Date.now()): Promise<string> {
  await makePrivateFolder(folder);
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(key);
  const file: KeyFile = { created: now, key };
  await writePrivateFile(join(folder, `${kid}.json`), `${JSON.stringify(file)}\n`);
  return kid;
}

/** Removes the keys that were replaced a month ago or earlier. */
export async function pruneKeys(folder: string, now = Date.now()): Promise<void> {
  const ring = await KeyRing.open(folder, 0);
  const old = await ring.replacedBefore(now - KEPT_MS);
  for (const { kid } of old) await rm(join(folder, `${kid}.json`), { force: true });
}

export class KeyRing {
  /** From the newest to the oldest. */
  #keys: readonly SigningKey[] = [];
  /** Names of files that are no keys; like a key, such a file is not written again. */
  readonly #broken = new Set<string>();

  readonly #folder: string;
  readonly #tokenLifetimeMs: number;
  readonly #report: Report;

  private constructor(folder: string, tokenLifetimeMs: number, report: Report) {
    this.#folder = folder;
    this.#tokenLifetimeMs = tokenLifetimeMs;
    this.#report = report;
  }

  /**
   * Opens the folder; a first key is made where there is none.
   *
   * @param tokenLifetime seconds for which an access token is valid
   * @param report hears of files that are no keys, once each; without it, who runs a command reads of them
   */
  static async open(
    folder: string,
    tokenLifetime: number,
    report: Report = tell,
  ): Promise<KeyRing> {
    const ring = new KeyRing(folder, tokenLifetime * 1000, report);
    await makePrivateFolder(folder);
    await ring.#load();
    if (ring.#keys.length === 0) {
      await addKey(folder);
      await ring.#load();
    }
    return ring;
  }

  /** The key that signs now. */
  async signing(): Promise<SigningKey> {
    await this.#load();
    const [newest] = this.#keys;
    if (newest === undefined) throw new Error("there is no key any more");
    return newest;
  }

  /** The key of this id, if it may still verify. */
  async verifying(kid: string, now = Date.now()): Promise<SigningKey | undefined> {
    const known = (): SigningKey | undefined => this.#valid(now).find((key) => key.kid === kid);
    const key = known();
    if (key !== undefined || !FILE_NAME.test(`${kid}.json`)) return key;
    await this.#load();
    return known();
  }

  /** The public keys that verify (RFC 7517). */
  async published(now = Date.now()): Promise<{ keys: JsonWebKey[] }> {
    await this.#load();
    return { keys: this.#valid(now).map(({ jwk }) => jwk) };
  }

  async replacedBefore(time: number): Promise<readonly SigningKey[]> {
    await this.#load();
    return this.#keys.filter((_, index) => (this.#keys[index - 1]?.created ?? time) < time);
  }

  #valid(now: number): readonly SigningKey[] {
    const oldest = now - this.#tokenLifetimeMs - MARGIN_MS;
    return this.#keys.filter((_, index) => (this.#keys[index - 1]?.created ?? now) >= oldest);
  }

  /** Only new files are read: a key never changes. */
  async #load(): Promise<void> {
    const names = (await readdir(this.#folder)).filter(
      (name) => FILE_NAME.test(name) && !this.#broken.has(name),
    );
    const known = new Map(this.#keys.map((key) => [`${key.kid}.json`, key]));
    if (names.length === known.size && names.every((name) => known.has(name))) return;
    const keys = await Promise.all(
      names.map(async (name) => known.get(name) ?? (await this.#read(name))),
    );
    this.#keys = keys
      .filter((key) => key !== undefined)
      .sort((a, b) => b.created - a.created || (a.kid < b.kid ? -1 : 1));
  }

  async #read(name: string): Promise<SigningKey | undefined> {
    const text = await readFile(join(this.#folder, name), "utf8").catch(() => undefined);
    // Removed since the listing.
    if (text === undefined) return undefined;
    try {
      return await keyIn(text, name.slice(0, -".json".length));
    } catch (error) {
      this.#broken.add(name);
      // The parser's own words would show a part of what it read.
      const reason = error instanceof SyntaxError ? "it is not JSON" : "it holds none of its name";
      this.#report(`${join(this.#folder, name)} is no key and is left out: ${reason}.`);
      return undefined;
    }
  }
}

/** The key in a file's text. @throws when it is none, or another than the file's name says */
async function keyIn(text: string, kid: string): Promise<SigningKey> {
  const { created, key } = JSON.parse(text) as KeyFile;
  if (typeof created !== "number" || (await calculateJwkThumbprint(key)) !== kid) {
    throw new TypeError("its content does not belong to its name");
  }
  const { x = "", y = "" } = key;
  const jwk: JsonWebKey = { kty: "EC", crv: "P-256", use: "sig", alg: ALGORITHM, kid, x, y };
  const [privateKey, publicKey] = await Promise.all([
    importJWK(key, ALGORITHM),
    importJWK(jwk, ALGORITHM),
  ]);
  return {
    kid,
    created,
    jwk,
    privateKey: privateKey as CryptoKey,
    publicKey: publicKey as CryptoKey,
  };
}
