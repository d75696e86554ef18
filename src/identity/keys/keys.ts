/**
 * The keys that sign access tokens, as they are kept: in a folder of this machine (key-folder.ts), or in the store that
 * all instances share (shared-keys.ts).
 *
 * The newest key signs. An older one verifies until the tokens that it signed have expired, counted from when its
 * successor was made. Whoever meets a key id that is not known here looks for it, so a rotation needs no restart and
 * fails no request.
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

type JsonWebKey = components["schemas"]["JsonWebKey"];

/** ECDSA with P-256 and SHA-256: what every JWT library can verify. */
export const ALGORITHM = "ES256";

/** A key whose public part is known here. */
export interface VerifyingKey {
  /** The key's thumbprint (RFC 7638); never used as a path. */
  readonly kid: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly publicKey: CryptoKey;
  /** What the key set shows. */
  readonly jwk: JsonWebKey;
}

export interface SigningKey extends VerifyingKey {
  readonly privateKey: CryptoKey;
}

/** One whose private part cannot be used here only verifies. */
export type AnyKey = VerifyingKey | SigningKey;

/** How keys are kept. */
export interface KeysLook {
  /** When they were made, in milliseconds since 1970, the newest first. */
  readonly created: readonly number[];
  /** Whether the newest can sign here. */
  readonly canSign: boolean;
  /** How many are sealed under another than the first of the keys that seal; undefined: none is sealed. */
  readonly sealedOtherwise?: number;
}

/** Where keys are kept. Lists are from the newest to the oldest. */
export interface KeyStore {
  /** Makes a first key where there is none. @throws UnusableKeys where those that there are cannot be used */
  open(): Promise<void>;
  /** What is in memory. */
  remembered(): Promise<readonly AnyKey[]>;
  /** What is known here, at little cost. */
  known(): Promise<readonly AnyKey[]>;
  /** What there is at a moment after this was called. @throws SolrUnavailable, SolrTimeout, ServiceBusy */
  look(): Promise<readonly AnyKey[]>;
  /** Makes a new key, which signs from now on. @returns its id */
  add(): Promise<string>;
  /** Removes the keys that were replaced a month ago or earlier. */
  prune(): Promise<void>;
  /** Looks at what there is, and makes and changes nothing. @throws as `look`; UnusableStateKey */
  inspect(): Promise<KeysLook>;
}

/** Keys that were replaced so long ago are removed, whatever any token's lifetime. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** For instances whose clocks differ, and that look for keys at different moments. */
const MARGIN_MS = 60_000;
const KEY_ID = /^[A-Za-z0-9_-]{43}$/;

export const isKeyId = (text: string): boolean => KEY_ID.test(text);

/** Makes a key that can be kept. */
export async function makeKey(): Promise<{ readonly kid: string; readonly key: JWK }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(key), key };
}

/** The public part of a key. @throws when it is none, or another than its id says */
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
    throw new TypeError("its content does not belong to its name");
  }
  return { kid, created, jwk, publicKey: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
}

/** A whole key. @throws as verifyingKey */
export async function signingKey(kid: string, created: number, key: JWK): Promise<SigningKey> {
  const verifying = await verifyingKey(kid, created, key);
  return { ...verifying, privateKey: (await importJWK(key, ALGORITHM)) as CryptoKey };
}

/** Those of the keys, from the newest to the oldest, that were replaced a month ago or earlier. */
export function outdated<K extends Pick<VerifyingKey, "created">>(
  keys: readonly K[],
  now: number,
): readonly K[] {
  return keys.filter((_, index) => (keys[index - 1]?.created ?? now) < now - KEPT_MS);
}

export class KeyRing {
  readonly #store: KeyStore;
  readonly #tokenLifetimeMs: number;

  private constructor(store: KeyStore, tokenLifetimeMs: number) {
    this.#store = store;
    this.#tokenLifetimeMs = tokenLifetimeMs;
  }

  /**
   * Opens the keys; a first one is made where there is none.
   *
   * @param tokenLifetime seconds for which an access token is valid
   * @throws as KeyStore.open
   */
  static async open(store: KeyStore, tokenLifetime: number): Promise<KeyRing> {
    await store.open();
    return new KeyRing(store, tokenLifetime * 1000);
  }

  /** The key that signs, as far as is known here: an access token may have an earlier one for a moment. */
  async signing(): Promise<SigningKey> {
    return newest(await this.#store.known());
  }

  /** The key that signs now, whatever is known here. @throws SolrUnavailable, SolrTimeout, ServiceBusy */
  async current(): Promise<SigningKey> {
    return newest(await this.#store.look());
  }

  /** The newest key, if it has this id; one that is not known here is looked for. @throws as `verifying` */
  async ifNewest(kid: string): Promise<VerifyingKey | undefined> {
    const [known] = await this.#store.known();
    if (known?.kid === kid || (await this.verifying(kid)) === undefined)
      return matching(known, kid);
    return matching((await this.#store.known())[0], kid);
  }

  /**
   * The key of this id, if it may still verify.
   *
   * @throws SolrUnavailable, SolrTimeout, ServiceBusy where it is not known here and cannot be looked for
   */
  async verifying(kid: string, now = Date.now()): Promise<VerifyingKey | undefined> {
    const keys = await this.#store.remembered();
    if (keys.some((key) => key.kid === kid))
      return this.#valid(keys, now).find((key) => key.kid === kid);
    if (!isKeyId(kid)) return undefined;
    return this.#valid(await this.#store.look(), now).find((key) => key.kid === kid);
  }

  /** The public keys that verify (RFC 7517). */
  async published(now = Date.now()): Promise<{ keys: JsonWebKey[] }> {
    // While the store is away, what is known is better than nothing.
    const keys = await this.#store.look().catch(() => this.#store.known());
    return { keys: this.#valid(keys, now).map(({ jwk }) => jwk) };
  }

  #valid(keys: readonly AnyKey[], now: number): readonly AnyKey[] {
    const oldest = now - this.#tokenLifetimeMs - MARGIN_MS;
    return keys.filter((_, index) => (keys[index - 1]?.created ?? now) >= oldest);
  }
}

const matching = (key: AnyKey | undefined, kid: string): AnyKey | undefined =>
  key?.kid === kid ? key : undefined;

function newest(keys: readonly AnyKey[]): SigningKey {
  const key = keys.find((one): one is SigningKey => "privateKey" in one);
  if (key === undefined) throw new Error("there is no key any more");
  return key;
}
