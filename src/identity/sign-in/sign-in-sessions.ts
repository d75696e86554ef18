/**
 * Sign-in sessions of browsers. With its cookie the page gets a new code after a reload without a password. The store has
 * only a hash of the cookie. A session ends after some hours, at sign-out, and when its account is disabled, removed or
 * gets a new password.
 *
 * An ended session is kept as long as a refresh token of it could live, so that other tabs are signed out too.
 */
import { randomBytes } from "node:crypto";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import type { User, Users } from "../accounts/users.js";

const KIND = "sign-in-session";
/** Seconds, counted from the password. */
export const SESSION_LIFETIME = 8 * 3600;

interface Stored {
  readonly sub: string;
  readonly username: string;
  /** When the password was given, in milliseconds since 1970. */
  readonly signedIn: number;
  readonly ended: boolean;
}

export interface SignInSession {
  /** The id of the entry in the store, not the cookie. */
  readonly id: string;
  readonly user: User;
  readonly signedIn: number;
}

const COOKIE = /^[\w-]{43}$/;
const idOf = (cookie: string): string => `session:${sha256(cookie)}`;

/** A random cookie, without a session. */
export const newCookie = (): string => randomBytes(32).toString("base64url");

/** Whether a text has the form of a session cookie. */
export const isCookie = (text: string | undefined): text is string => COOKIE.test(text ?? "");

/** The anti-CSRF value of forms made for the holder of a cookie. It does not reveal the cookie. */
export const formKey = (cookie: string): string => sha256(`form ${cookie}`);

/** Whether an account is still the one of a sign-in, enabled and with the same password. */
export const isStillSignedIn = (
  user: User | undefined,
  { sub, signedIn }: { readonly sub: string; readonly signedIn: number },
): user is User =>
  user !== undefined && user.sub === sub && !user.disabled && user.passwordSet <= signedIn;

/**
 * When an account signed in whose password was right: the moment of the request, not that of its end, as the password may have been
 * changed in between. It may also have been set just before it was read.
 */
export const signedInAt = ({ passwordSet }: User, arrived: number): number =>
  Math.max(arrived, passwordSet);

export class SignInSessions {
  readonly #store: StateStore;
  readonly #users: Users;
  readonly #endedLifetime: number;
  readonly #clock: () => number;

  /** @param endedLifetime seconds that an ended session is kept */
  constructor(
    store: StateStore,
    users: Users,
    endedLifetime: number,
    clock: () => number = Date.now,
  ) {
    this.#store = store;
    this.#users = users;
    this.#endedLifetime = endedLifetime;
    this.#clock = clock;
  }

  /**
   * Starts a session with a new cookie, which prevents session fixation.
   *
   * @param arrived when the request with the password was complete, in milliseconds since 1970
   */
  async start(user: User, arrived: number) {
    const { sub, name } = user;
    const cookie = newCookie();
    const signedIn = signedInAt(user, arrived);
    const value: Stored = { sub, username: name, signedIn, ended: false };
    const expires = signedIn + SESSION_LIFETIME * 1000;
    await this.#store.overwrite(idOf(cookie), { kind: KIND, value, expires });
    return { cookie, id: idOf(cookie), signedIn };
  }

  /** The session of a cookie; undefined if it has ended. */
  async find(cookie: string): Promise<SignInSession | undefined> {
    const id = idOf(cookie);
    const entry = await this.#store.read(id);
    if (entry?.kind !== KIND || entry.expires <= this.#clock()) return undefined;
    const stored = entry.value as Stored;
    if (stored.ended) return undefined;
    const user = await this.#users.current(stored.username);
    return isStillSignedIn(user, stored) ? { id, user, signedIn: stored.signedIn } : undefined;
  }

  /** Whether a session was ended by a sign-out. False for an expired one. */
  async wasEnded(id: string): Promise<boolean> {
    const entry = await this.#store.read(id);
    return entry?.kind === KIND && (entry.value as Stored).ended;
  }

  async end(id: string): Promise<void> {
    const value: Stored = { sub: "", username: "", signedIn: 0, ended: true };
    const expires = this.#clock() + this.#endedLifetime * 1000;
    await this.#store.overwrite(id, { kind: KIND, value, expires });
  }

  /** Ends the session of a cookie, if there is one. */
  async endOf(cookie: string): Promise<void> {
    const entry = await this.#store.read(idOf(cookie));
    if (entry?.kind === KIND) await this.end(idOf(cookie));
  }
}
