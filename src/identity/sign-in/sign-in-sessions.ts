/**
 * That somebody has signed in with a browser: what its cookie stands for, so that the page gets a new code after a reload
 * without asking again. In the store is a hash of the cookie; a session ends after some hours, when somebody signs out, and
 * with the account: when that is disabled, removed, or gets a new password.
 *
 * One that was ended is remembered as long as a refresh token that came of it could live, so that other tabs are signed
 * out as well.
 */
import { randomBytes } from "node:crypto";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import type { User, Users } from "../accounts/users.js";

const KIND = "sign-in-session";
/** Seconds from the password on. */
export const SESSION_LIFETIME = 8 * 3600;

interface Stored {
  readonly sub: string;
  readonly username: string;
  /** When the password was given, in milliseconds since 1970. */
  readonly signedIn: number;
  readonly ended: boolean;
}

export interface SignInSession {
  /** Of the entry in the store; no cookie. */
  readonly id: string;
  readonly user: User;
  readonly signedIn: number;
}

const COOKIE = /^[\w-]{43}$/;
const idOf = (cookie: string): string => `session:${sha256(cookie)}`;

/** A cookie that stands for nothing yet. */
export const newCookie = (): string => randomBytes(32).toString("base64url");

/** Whether a text has the form of such a cookie. */
export const isCookie = (text: string | undefined): text is string => COOKIE.test(text ?? "");

/** What a form must bring that was made for whoever has the cookie; it does not tell the cookie. */
export const formKey = (cookie: string): string => sha256(`form ${cookie}`);

/** Whether an account is still the one that somebody has signed in to. */
export const isStillSignedIn = (
  user: User | undefined,
  { sub, signedIn }: { readonly sub: string; readonly signedIn: number },
): user is User =>
  user !== undefined && user.sub === sub && !user.disabled && user.passwordSet <= signedIn;

export class SignInSessions {
  readonly #store: StateStore;
  readonly #users: Users;
  readonly #remembered: number;
  readonly #clock: () => number;

  /** @param remembered seconds for which one that was ended is remembered */
  constructor(store: StateStore, users: Users, remembered: number, clock: () => number = Date.now) {
    this.#store = store;
    this.#users = users;
    this.#remembered = remembered;
    this.#clock = clock;
  }

  /** Begins one, always with a cookie that nobody has seen before. @throws SolrUnavailable, SolrTimeout */
  async start({ sub, name }: User): Promise<{ cookie: string; id: string; signedIn: number }> {
    const cookie = newCookie();
    const signedIn = this.#clock();
    const value: Stored = { sub, username: name, signedIn, ended: false };
    const expires = signedIn + SESSION_LIFETIME * 1000;
    await this.#store.overwrite(idOf(cookie), { kind: KIND, value, expires });
    return { cookie, id: idOf(cookie), signedIn };
  }

  /** Whom a cookie stands for now. @throws SolrUnavailable, SolrTimeout */
  async find(cookie: string): Promise<SignInSession | undefined> {
    const id = idOf(cookie);
    const entry = await this.#store.read(id);
    if (entry?.kind !== KIND || entry.expires <= this.#clock()) return undefined;
    const stored = entry.value as Stored;
    if (stored.ended) return undefined;
    const user = await this.#users.current(stored.username);
    return isStillSignedIn(user, stored) ? { id, user, signedIn: stored.signedIn } : undefined;
  }

  /** Whether somebody has signed out of it; one that has run out was not ended. @throws SolrUnavailable, SolrTimeout */
  async wasEnded(id: string): Promise<boolean> {
    const entry = await this.#store.read(id);
    return entry?.kind === KIND && (entry.value as Stored).ended;
  }

  /** @throws SolrUnavailable, SolrTimeout */
  async end(id: string): Promise<void> {
    const value: Stored = { sub: "", username: "", signedIn: 0, ended: true };
    const expires = this.#clock() + this.#remembered * 1000;
    await this.#store.overwrite(id, { kind: KIND, value, expires });
  }

  /** Ends the one of a cookie, if there is one. @throws SolrUnavailable, SolrTimeout */
  async endOf(cookie: string): Promise<void> {
    const entry = await this.#store.read(idOf(cookie));
    if (entry?.kind === KIND) await this.end(idOf(cookie));
  }
}
