/**
 * Limits sign-ins that fail, for each name and for each address, on all instances together and across
 * restarts (RFC 6749, 4.3.2 and 10.10).
 *
 * An attempt is counted before the password is looked at, so that many at once cannot slip through; one that
 * succeeds gives back what it took. A name is counted whether it exists or not.
 */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { TooManyAttempts } from "../errors.js";
import type { StoredEntry, TokenStore } from "./state-store.js";

export interface LoginLimits {
  /** Failures in a window after which a name must wait. */
  readonly perUser: number;
  /** Failures in a window after which an address must wait; many people can share one. */
  readonly perAddress: number;
  /** Seconds, from the first failure. */
  readonly window: number;
}

interface Count {
  readonly attempts: number;
}

const KIND = "sign-in-attempts";
const TRIES = 30;

export class LoginLimiter {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: TokenStore,
    private readonly limits: LoginLimits,
    private readonly clock: () => number = Date.now,
  ) {}

  /**
   * Runs a check of credentials as a counted attempt. Attempts run one after the other, as their hashing
   * does anyway: otherwise many right ones that wait for their turn would together look like an attack.
   *
   * @param check undefined means that the credentials are wrong
   * @throws TooManyAttempts; SolrUnavailable, SolrTimeout; and what `check` throws, which does not count
   */
  async guard<T>(
    username: string,
    address: string,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const user = entryId("user", username);
    const from = entryId("address", network(address));
    // Who has to wait is told at once, and does not stand in the way of others.
    await this.#refuse(user, this.limits.perUser);
    await this.#refuse(from, this.limits.perAddress);
    return this.#inTurn(async () => {
      await this.#count(user, this.limits.perUser);
      await this.#count(from, this.limits.perAddress);
      const giveBack = async (): Promise<void> => {
        await this.#change(from, ({ attempts }) => attempts - 1);
        await this.#change(user, ({ attempts }) => attempts - 1);
      };
      const result = await check().catch(async (error: unknown) => {
        await giveBack().catch(() => {});
        throw error;
      });
      if (result !== undefined) {
        await this.#change(from, ({ attempts }) => attempts - 1);
        await this.#change(user, () => 0);
      }
      return result;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #refuse(id: string, most: number): Promise<void> {
    const entry = await this.store.read(id);
    if (entry === undefined || (entry.value as Count).attempts < most) return;
    throw this.#tooMany(entry.expires);
  }

  #tooMany(expires: number): TooManyAttempts {
    return new TooManyAttempts(Math.max(1, Math.ceil((expires - this.clock()) / 1000)));
  }

  async #count(id: string, most: number): Promise<void> {
    await this.#change(id, ({ attempts }, expires) => {
      if (attempts < most) return attempts + 1;
      throw this.#tooMany(expires);
    });
  }

  /** Somebody else may count at the same moment: then it is read again. */
  async #change(id: string, change: (count: Count, expires: number) => number): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const entry: StoredEntry | undefined = await this.store.read(id);
      const expires = entry?.expires ?? this.clock() + this.limits.window * 1000;
      const attempts = change((entry?.value as Count | undefined) ?? { attempts: 0 }, expires);
      const value: Count = { attempts: Math.max(0, attempts) };
      if (await this.store.write(id, { kind: KIND, value, expires }, entry)) return;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * tries));
    }
    // So many at once for one name or address is itself too many.
    throw new TooManyAttempts(1);
  }
}

/** Names and addresses are nobody's business who looks into the store. */
function entryId(kind: string, text: string): string {
  return `attempts:${kind}:${createHash("sha256").update(text).digest("base64url")}`;
}

/** One holder has a whole /64 of IPv6 addresses. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const left = head.split(":").filter((part) => part !== "");
  const right = (tail ?? "").split(":").filter((part) => part !== "");
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, gap)).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
