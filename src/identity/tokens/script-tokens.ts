/**
 * Script tokens: random texts that an account creates for its programs, each with a name and an expiry. Only hashes are
 * stored, all of one account in one entry of the store: this bounds their number and makes one of two simultaneous changes
 * fail visibly.
 *
 * Every instance has a copy of all entries, so verifying needs no request, even while the store is down. Unknown tokens
 * are looked up in batches, so that invented tokens cause no load. The account is checked each time: a token ends when
 * the account is disabled, removed, or gets a new password.
 */

import { randomBytes } from "node:crypto";
import { InvalidParameters } from "../../domain/errors.js";
import { DAY } from "../../domain/extent/durations.js";
import type { CopiedEntries, ReadEntry, StateCopy } from "../../index/state/state-copy.js";
import { sha256 } from "../../platform/sha256.js";
import type { Users } from "../accounts/users.js";
import { InvalidToken } from "../errors.js";
import type { Principal } from "../principal.js";
import { isStillSignedIn } from "../sign-in/sign-in-sessions.js";
import { SCOPES } from "./issued-tokens.js";
import { RandomTokens } from "./random-token.js";

const KIND = "script-tokens";
/** The client id of script tokens in the audit log. */
const SCRIPT_CLIENT = "climate-nextgen-script";
export const MAX_SCRIPT_TOKENS = 20;

/** A token as its owner sees it, without the secret. */
export interface ScriptToken {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly expires: number;
}

interface Kept extends ScriptToken {
  readonly hash: string;
}

interface Stored {
  readonly sub: string;
  readonly username: string;
  readonly tokens: readonly Kept[];
}

/** The account that owns tokens. */
type Maker = Pick<Principal, "sub" | "username">;
/** The account with an access token, which may be older than its password. */
type SignedIn = Pick<Principal, "sub" | "username" | "issuedAt">;

const TOKENS = new RandomTokens("cns");
/** The part of a token that identifies the entry of its account, without revealing the account. */
const keyOf = (sub: string): string => sha256(`script ${sub}`).slice(0, 22);
const idOf = (key: string): string => `script-tokens:${key}`;

/** Whether a text has the form of a script token. */
export const isScriptToken = (text: string): boolean => TOKENS.keyOf(text) !== undefined;

const shown = ({ id, name, created, expires }: Kept): ScriptToken => ({
  id,
  name,
  created,
  expires,
});

export class ScriptTokens {
  readonly #entries: CopiedEntries<Stored>;
  readonly #users: Users;
  readonly #clock: () => number;

  constructor(copy: StateCopy, users: Users, clock: () => number = Date.now) {
    this.#entries = copy.of(KIND, storedOf);
    this.#users = users;
    this.#clock = clock;
  }

  /**
   * Creates a token.
   *
   * @param lifetime seconds
   * @returns the token itself, which is stored nowhere
   * @throws InvalidParameters if the account has MAX_SCRIPT_TOKENS, or one of this name; InvalidToken if the access token is from
   * before the account's password
   */
  async make(maker: SignedIn, name: string, lifetime: number) {
    const { sub, username, issuedAt = 0 } = maker;
    const user = await this.#users.bySub(sub, username);
    // Access tokens know only the second in which they were issued.
    if (!isStillSignedIn(user, { sub, signedIn: issuedAt * 1000 + 999 })) throw ended();
    const token = TOKENS.make(keyOf(sub));
    const created = this.#clock();
    const made: Kept = {
      id: randomBytes(9).toString("base64url"),
      name,
      created,
      hash: sha256(token),
      expires: created + lifetime * 1000,
    };
    await this.#edit(maker, (tokens) => {
      if (tokens.some((one) => one.name === name)) throw wrong("you have a token of this name");
      if (tokens.length >= MAX_SCRIPT_TOKENS) {
        throw wrong(`you have ${MAX_SCRIPT_TOKENS} tokens already, which is the most`);
      }
      return [...tokens, made];
    });
    return { ...shown(made), token };
  }

  /** The valid tokens of an account, newest first. */
  async list(maker: Maker): Promise<readonly ScriptToken[]> {
    const { value } = await this.#entries.read(idOf(keyOf(maker.sub)));
    return (await this.#valid(maker, value)).map(shown).reverse();
  }

  /** Ends a token of an account. @returns false if none has this id */
  async end(maker: Maker, id: string): Promise<boolean> {
    let found = false;
    await this.#edit(maker, (tokens) => {
      found = tokens.some((one) => one.id === id);
      return found ? tokens.filter((one) => one.id !== id) : undefined;
    });
    return found;
  }

  /** Ends the given token. An invalid token is not an error. */
  async giveUp(token: string): Promise<void> {
    const found = await this.#find(token);
    if (found !== undefined) await this.end(found.stored, found.kept.id);
  }

  /**
   * The principal of a token.
   *
   * @throws SolrUnavailable, SolrTimeout, ServiceBusy if it is unknown here and cannot be looked up
   */
  async verify(token: string, issuer: string): Promise<Principal> {
    const { stored, kept } = (await this.#find(token)) ?? {};
    if (stored === undefined || kept === undefined) {
      throw new InvalidToken("The token is not valid, or was revoked.");
    }
    if (kept.expires <= this.#clock()) throw new InvalidToken("The token has expired.", "expired");
    const user = await this.#users.bySub(stored.sub, stored.username);
    if (!isStillSignedIn(user, { sub: stored.sub, signedIn: kept.created })) {
      throw ended();
    }
    return {
      sub: user.sub,
      username: user.name,
      email: user.email,
      scope: SCOPES.join(" "),
      clientId: SCRIPT_CLIENT,
      issuer,
      expires: Math.floor(kept.expires / 1000),
      isScript: true,
    };
  }

  async #find(token: string) {
    const key = TOKENS.keyOf(token);
    if (key === undefined) return undefined;
    const hash = sha256(token);
    const among = (stored: Stored | undefined) => {
      const kept = stored?.tokens.find((one) => one.hash === hash);
      return stored && kept && { stored, kept };
    };
    // The copy lacks tokens that another instance has just created.
    return among(this.#entries.get(idOf(key))) ?? among(await this.#entries.lookUp(idOf(key)));
  }

  async #valid({ sub, username }: Maker, stored: Stored | undefined): Promise<readonly Kept[]> {
    const user = await this.#users.bySub(sub, username);
    const now = this.#clock();
    return (stored?.tokens ?? []).filter(
      ({ created, expires }) => expires > now && isStillSignedIn(user, { sub, signedIn: created }),
    );
  }

  async #edit(
    maker: Maker,
    change: (tokens: readonly Kept[]) => readonly Kept[] | undefined,
  ): Promise<void> {
    const { sub, username } = maker;
    const work = async ({ value }: ReadEntry<Stored>) => {
      const tokens = change(await this.#valid(maker, value));
      if (tokens === undefined) return { result: undefined };
      const next: Stored = { sub, username, tokens };
      // An empty entry stays for a day, so that other instances see the change.
      const last = Math.max(this.#clock(), ...tokens.map(({ expires }) => expires));
      return { result: undefined, next: { value: next, expires: last + DAY } };
    };
    const busy = "These tokens are being changed by others; please try again.";
    await this.#entries.edit(idOf(keyOf(sub)), work, busy);
  }
}

const ended = (): InvalidToken =>
  new InvalidToken("The token has ended with its account, or its password.", "revoked");

const wrong = (reason: string): InvalidParameters =>
  new InvalidParameters([{ name: "name", in: "body", reason }]);

/** The tokens in an entry; undefined if it is malformed or belongs to another account. */
function storedOf(value: unknown, id: string): Stored | undefined {
  const { sub, username, tokens } = (value ?? {}) as Partial<Stored>;
  if (typeof sub !== "string" || typeof username !== "string" || !Array.isArray(tokens)) {
    return undefined;
  }
  return id === idOf(keyOf(sub)) ? { sub, username, tokens } : undefined;
}
