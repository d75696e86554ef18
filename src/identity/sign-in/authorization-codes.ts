/**
 * Authorization codes (RFC 6749, 4.1.2): random texts of which only hashes are kept, good for one use within a minute, by
 * the client, from the address and with the verifier that they were made for.
 *
 * Who uses one writes that into its entry, if that is still in the version that was read; so of several who come with one
 * code exactly one succeeds, on whatever instance. Whoever comes later ends what the first one got, as it cannot be known
 * which of the two is the thief: first it is written that the code came again, then the tokens are ended; and who was first
 * looks once more before the tokens are handed out. So no order of the two leaves a token that is good.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { StateStore, StoredEntry } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { InvalidGrant } from "../errors.js";
import { familyHash, newFamily } from "../tokens/refresh-token.js";

const KIND = "authorization-code";
/** Milliseconds. */
const LIFETIME = 60_000;
/** Milliseconds for which it is remembered that one was used. */
const REMEMBERED = 3600_000;
const SHAPE = /^cnc_[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** What a code stands for. */
export interface Authorized {
  readonly sub: string;
  readonly username: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
  /** When the password was given, in milliseconds since 1970. */
  readonly signedIn: number;
  /** The browser's session that it came of. */
  readonly session: string;
}

interface Stored extends Authorized {
  readonly issued: number;
  readonly use?: { readonly family?: string; readonly jti?: string };
  readonly again?: true;
}

/** What is shown with a code. */
export interface Proof {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** The tokens that a code gives: known before they are made, so that they can be ended. */
export interface CodeUse {
  readonly authorized: Authorized;
  readonly family: string;
  readonly jti: string;
}

/** Ends what a code gave: a refresh token's family, by its hash, and an access token. */
export type EndTokens = (family: string, jti: string) => Promise<void>;

const idOf = (code: string): string => `code:${sha256(code)}`;

/** Whether a text has the form of a code of this service. */
export const isCode = (text: string): boolean => SHAPE.test(text);

const refused = (): InvalidGrant => new InvalidGrant("The authorization code is not valid.");

export class AuthorizationCodes {
  readonly #store: StateStore;
  readonly #endTokens: EndTokens;
  readonly #clock: () => number;

  constructor(store: StateStore, endTokens: EndTokens, clock: () => number = Date.now) {
    this.#store = store;
    this.#endTokens = endTokens;
    this.#clock = clock;
  }

  /** @throws SolrUnavailable, SolrTimeout */
  async issue(authorized: Authorized): Promise<string> {
    const code = `cnc_${randomBytes(32).toString("base64url")}`;
    const issued = this.#clock();
    const value: Stored = { ...authorized, issued };
    await this.#store.overwrite(idOf(code), { kind: KIND, value, expires: issued + LIFETIME });
    return code;
  }

  /**
   * Uses a code up, also where what comes with it is wrong.
   *
   * @throws InvalidGrant; SolrUnavailable, SolrTimeout: the code may have been used up
   */
  async use(code: string, proof: Proof): Promise<CodeUse> {
    const entry = isCode(code) ? await this.#store.read(idOf(code)) : undefined;
    if (entry?.kind !== KIND) throw refused();
    const stored = entry.value as Stored;
    if (stored.use !== undefined) throw await this.#cameAgain(code, entry);
    if (stored.issued + LIFETIME <= this.#clock()) throw refused();
    const isRight = fits(stored, proof);
    const use = { authorized: stored, family: newFamily(), jti: randomUUID() };
    const gives = isRight ? { family: familyHash(use.family), jti: use.jti } : {};
    const value: Stored = { ...stored, use: gives };
    const used = { kind: KIND, value, expires: this.#clock() + REMEMBERED };
    if (!(await this.#store.write(idOf(code), used, entry))) {
      const newest = await this.#store.read(idOf(code));
      throw newest === undefined ? refused() : await this.#cameAgain(code, newest);
    }
    if (!isRight) throw refused();
    return use;
  }

  /** Looks whether the code has come again since it was used. @throws InvalidGrant; SolrUnavailable, SolrTimeout */
  async confirm(code: string): Promise<void> {
    const entry = await this.#store.read(idOf(code));
    if (entry === undefined || (entry.value as Stored).again) throw refused();
  }

  async #cameAgain(code: string, entry: StoredEntry): Promise<InvalidGrant> {
    const stored = entry.value as Stored;
    const value: Stored = { ...stored, again: true };
    await this.#store.overwrite(idOf(code), { ...entry, value });
    const { family, jti } = stored.use ?? {};
    if (family !== undefined && jti !== undefined) await this.#endTokens(family, jti);
    return refused();
  }
}

function fits(stored: Stored, { clientId, redirectUri, verifier }: Proof): boolean {
  return (
    stored.clientId === clientId &&
    stored.redirectUri === redirectUri &&
    VERIFIER.test(verifier) &&
    sha256(verifier) === stored.challenge
  );
}
