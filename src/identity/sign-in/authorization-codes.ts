/**
 * Authorization codes (RFC 6749, 4.1.2): random texts, stored as hashes. A code can be used once within a minute, by the
 * client, with the redirect URI and with the verifier that it was made for.
 *
 * Using a code writes its entry only if the entry still has the version that was read, so exactly one of several uses
 * succeeds, on any instance. A second use ends the tokens of the first, because either could be the thief's. It first
 * marks the code as replayed, then ends the tokens. The first use checks this mark before it returns its tokens. In no
 * order of these steps a valid token is left.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { StateStore, StoredEntry } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { InvalidGrant } from "../errors.js";
import { familyHash, newFamily } from "../tokens/refresh-token.js";

const KIND = "authorization-code";
/** Milliseconds. */
const LIFETIME = 60_000;
/** Milliseconds that a used code is kept, to detect a second use. */
const USED_TTL = 3600_000;
const CODE_FORMAT = /^cnc_[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** The sign-in that a code stands for. */
interface Authorized {
  readonly sub: string;
  readonly username: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
  /** When the password was given, in milliseconds since 1970. */
  readonly signedIn: number;
  /** The browser session in which the code was made. */
  readonly session: string;
}

interface Stored extends Authorized {
  readonly issued: number;
  readonly use?: { readonly family?: string; readonly jti?: string };
  readonly again?: true;
}

/** The parameters that must come with a code. */
export interface Proof {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Ends the tokens of a code: a refresh token family, by its hash, and an access token. */
type EndTokens = (family: string, jti: string) => Promise<void>;

const idOf = (code: string): string => `code:${sha256(code)}`;

/** Whether a text has the form of a code of this service. */
export const isCode = (text: string): boolean => CODE_FORMAT.test(text);

export const invalidCode = (): InvalidGrant =>
  new InvalidGrant("The authorization code is not valid.");

export class AuthorizationCodes {
  readonly #store: StateStore;
  readonly #endTokens: EndTokens;
  readonly #clock: () => number;

  constructor(store: StateStore, endTokens: EndTokens, clock: () => number = Date.now) {
    this.#store = store;
    this.#endTokens = endTokens;
    this.#clock = clock;
  }

  async issue(authorized: Authorized): Promise<string> {
    const code = `cnc_${randomBytes(32).toString("base64url")}`;
    const issued = this.#clock();
    const value: Stored = { ...authorized, issued };
    await this.#store.overwrite(idOf(code), { kind: KIND, value, expires: issued + LIFETIME });
    return code;
  }

  /**
   * Uses a code up, even if its parameters are wrong. The ids of its tokens are chosen before the tokens are made, so that a second
   * use can end them.
   *
   * @throws SolrUnavailable, SolrTimeout: the code may have been used up
   */
  async use(code: string, proof: Proof) {
    const entry = isCode(code) ? await this.#store.read(idOf(code)) : undefined;
    if (entry?.kind !== KIND) throw invalidCode();
    const stored = entry.value as Stored;
    if (stored.use !== undefined) throw await this.#endReplayed(code, entry);
    if (stored.issued + LIFETIME <= this.#clock()) throw invalidCode();
    const isRight = matchesProof(stored, proof);
    const authorized: Authorized = stored;
    const use = { authorized, family: newFamily(), jti: randomUUID() };
    const issuedTokens = isRight ? { family: familyHash(use.family), jti: use.jti } : {};
    const value: Stored = { ...stored, use: issuedTokens };
    const used = { kind: KIND, value, expires: this.#clock() + USED_TTL };
    const { isWritten, entry: newest } = await this.#store.write(idOf(code), used, entry);
    if (!isWritten) {
      throw newest === undefined ? invalidCode() : await this.#endReplayed(code, newest);
    }
    if (!isRight) throw invalidCode();
    return use;
  }

  /** Checks that the code was not used a second time. */
  async confirm(code: string): Promise<void> {
    const entry = await this.#store.read(idOf(code));
    if (entry === undefined || (entry.value as Stored).again) throw invalidCode();
  }

  async #endReplayed(code: string, entry: StoredEntry): Promise<InvalidGrant> {
    const stored = entry.value as Stored;
    const value: Stored = { ...stored, again: true };
    await this.#store.overwrite(idOf(code), { ...entry, value });
    const { family, jti } = stored.use ?? {};
    if (family !== undefined && jti !== undefined) await this.#endTokens(family, jti);
    return invalidCode();
  }
}

function matchesProof(stored: Stored, { clientId, redirectUri, verifier }: Proof): boolean {
  return (
    stored.clientId === clientId &&
    stored.redirectUri === redirectUri &&
    VERIFIER.test(verifier) &&
    sha256(verifier) === stored.challenge
  );
}
