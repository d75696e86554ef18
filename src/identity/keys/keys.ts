/**
 * The keys that sign access tokens. They are kept in a folder of this machine (key-folder.ts) or in the state store that
 * all instances share (shared-keys.ts).
 *
 * The newest key signs. An older key verifies until the tokens that it signed have expired, counted from the creation of
 * its successor. An unknown key id causes a lookup, so a rotation needs no restart and no request fails.
 */

import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from "jose";
import type { components } from "../../../generated/openapi.js";
import { DAY } from "../../domain/extent/durations.js";

type JsonWebKey = components["schemas"]["JsonWebKey"];

/** ECDSA with P-256 and SHA-256, which every JWT library can verify. */
export const ALGORITHM = "ES256";

export interface VerifyingKey {
  /** The key's thumbprint (RFC 7638); never used as a path. */
  readonly kid: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly publicKey: CryptoKey;
  /** The key as the JWK set publishes it. */
  readonly jwk: JsonWebKey;
}

export interface SigningKey extends VerifyingKey {
  readonly privateKey: CryptoKey;
}

/** A key whose private part cannot be opened on this instance only verifies. */
export type AnyKey = VerifyingKey | SigningKey;

export interface KeyInspection {
  /** Creation times in milliseconds since 1970, newest first. */
  readonly created: readonly number[];
  /** Whether the newest key can sign on this instance. */
  readonly canSign: boolean;
  /** Number of keys that are not sealed under the current state key. Undefined if keys are not sealed. */
  readonly sealedUnderOtherKey?: number;
}

/** Storage of keys. Lists are sorted from the newest to the oldest. */
export interface KeyStore {
  /** Makes a first key if there is none. @throws UnusableKeys if the existing keys cannot be used */
  open(): Promise<void>;
  /** The keys in memory. */
  cached(): Promise<readonly AnyKey[]>;
  /** The keys that can be found at little cost, without a request to the store. */
  known(): Promise<readonly AnyKey[]>;
  /** The stored keys, read after this call began. */
  refresh(): Promise<readonly AnyKey[]>;
  /** Makes a new signing key. @returns its id */
  add(): Promise<string>;
  /** Removes the keys that were replaced a month ago or earlier */
  prune(): Promise<void>;
  /** Reads the state of the keys and changes nothing. */
  inspect(): Promise<KeyInspection>;
}

/** Milliseconds after which a replaced key is removed. Longer than the lifetime of any token. */
const RETENTION_MS = 30 * DAY;
/** Milliseconds by which the clocks of instances may differ, and the times at which they read keys. */
const CLOCK_MARGIN_MS = 60_000;
const KEY_ID = /^[A-Za-z0-9_-]{43}$/;

export const isKeyId = (text: string): boolean => KEY_ID.test(text);

export async function makeKey(): Promise<{ readonly kid: string; readonly key: JWK }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(key), key };
}

/** The public part of a key. @throws TypeError if it is no key, or does not match its id */
export async function verifyingKey(
  kid: string,
  created: number,
  { x, y }: JWK,
): Promise<VerifyingKey> {
  const jwk: JsonWebKey = {
    kty: "EC",
    crv: "P-256",
    use: "sig",
    alg: ALGORITHM,
    kid,
    x: x ?? "",
    y: y ?? "",
  };
  if (typeof created !== "number" || (await calculateJwkThumbprint(jwk as JWK)) !== kid) {
    throw new TypeError("the key does not match its id");
  }
  return { kid, created, jwk, publicKey: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
}

export async function signingKey(kid: string, created: number, key: JWK): Promise<SigningKey> {
  const verifying = await verifyingKey(kid, created, key);
  return { ...verifying, privateKey: (await importJWK(key, ALGORITHM)) as CryptoKey };
}

/** The keys that were replaced a month ago or earlier. @param keys from the newest to the oldest */
export function outdated<K extends Pick<VerifyingKey, "created">>(
  keys: readonly K[],
  now: number,
): readonly K[] {
  return keys.filter((_, index) => (keys[index - 1]?.created ?? now) < now - RETENTION_MS);
}

export class KeyRing {
  readonly #store: KeyStore;
  readonly #tokenLifetimeMs: number;

  private constructor(store: KeyStore, tokenLifetimeMs: number) {
    this.#store = store;
    this.#tokenLifetimeMs = tokenLifetimeMs;
  }

  /**
   * Opens the keys, and makes a first one if there is none.
   *
   * @param tokenLifetime seconds for which an access token is valid
   */
  static async open(store: KeyStore, tokenLifetime: number): Promise<KeyRing> {
    await store.open();
    return new KeyRing(store, tokenLifetime * 1000);
  }

  /** The signing key as known to this instance. Just after a rotation it may be the previous one. */
  async signing(): Promise<SigningKey> {
    return newest(await this.#store.known());
  }

  /** The current signing key, read from the store. */
  async current(): Promise<SigningKey> {
    return newest(await this.#store.refresh());
  }

  /** The newest key if it has this id; unknown ids are looked up. */
  async ifNewest(kid: string): Promise<VerifyingKey | undefined> {
    const [known] = await this.#store.known();
    if (known?.kid === kid || (await this.verifying(kid)) === undefined)
      return matching(known, kid);
    return matching((await this.#store.known())[0], kid);
  }

  /**
   * The key of this id, if it may still verify.
   *
   * @throws SolrUnavailable, SolrTimeout, ServiceBusy if it is unknown and cannot be looked up
   */
  async verifying(kid: string, now = Date.now()): Promise<VerifyingKey | undefined> {
    const keys = await this.#store.cached();
    if (keys.some((key) => key.kid === kid))
      return this.#valid(keys, now).find((key) => key.kid === kid);
    if (!isKeyId(kid)) return undefined;
    return this.#valid(await this.#store.refresh(), now).find((key) => key.kid === kid);
  }

  /** The public keys that verify (RFC 7517). */
  async published(now = Date.now()): Promise<{ keys: JsonWebKey[] }> {
    // While the store is unavailable, the known keys still verify tokens.
    const keys = await this.#store.refresh().catch(() => this.#store.known());
    return { keys: this.#valid(keys, now).map(({ jwk }) => jwk) };
  }

  #valid(keys: readonly AnyKey[], now: number): readonly AnyKey[] {
    const oldest = now - this.#tokenLifetimeMs - CLOCK_MARGIN_MS;
    return keys.filter((_, index) => (keys[index - 1]?.created ?? now) >= oldest);
  }
}

const matching = (key: AnyKey | undefined, kid: string): AnyKey | undefined =>
  key?.kid === kid ? key : undefined;

function newest(keys: readonly AnyKey[]): SigningKey {
  const key = keys.find((one): one is SigningKey => "privateKey" in one);
  if (key === undefined) throw new Error("no signing key is left");
  return key;
}
