/** Maps users of the service to accounts of the machine. */
import { LRUCache } from "lru-cache";
import type { ClaimedAccount, Owner } from "../../domain/user-data/owner.js";
import { remembered } from "../../platform/concurrency/single-flight.js";
import {
  accountNamed,
  accountOf,
  groupsOf,
  isPerson,
  type SystemAccount,
} from "../../platform/processes/system-accounts.js";
import { type Account, UNKNOWN_ACCOUNT } from "./decide.js";

export interface Directory {
  accountNamed(name: string): Promise<SystemAccount | undefined>;
  accountOf(uid: number): Promise<SystemAccount | undefined>;
  groupsOf(account: SystemAccount): Promise<readonly number[]>;
}

export const machineDirectory: Directory = { accountNamed, accountOf, groupsOf };

const MAX_KNOWN = 10_000;

export class Accounts {
  readonly #known: LRUCache<string, Promise<Account>>;
  readonly #directory: Directory;

  /** @param ttl milliseconds */
  constructor(directory: Directory, ttl: number) {
    this.#directory = directory;
    this.#known = new LRUCache({ max: MAX_KNOWN, ttl });
  }

  /** The user's account on the machine; UNKNOWN_ACCOUNT for unknown and anonymous users. */
  async whoIs(owner: Owner | undefined): Promise<Account> {
    if (owner === undefined) return UNKNOWN_ACCOUNT;
    const { isLocal, user, account } = owner;
    if (!isLocal && account === undefined) return UNKNOWN_ACCOUNT;
    // A share stores the claims from its creation; a token has current ones.
    const key = JSON.stringify(isLocal ? user : [account?.uid, account?.gids]);
    // If the directory service fails, the account is unknown.
    const find = () =>
      (isLocal ? this.#named(user) : this.#claimed(account)).catch(() => UNKNOWN_ACCOUNT);
    return remembered(this.#known, key, find);
  }

  async #named(name: string): Promise<Account> {
    const account = await this.#directory.accountNamed(name);
    if (account === undefined || !isPerson(account.uid)) return UNKNOWN_ACCOUNT;
    return this.#whoOf(account);
  }

  async #whoOf(account: SystemAccount): Promise<Account> {
    const gids = await this.#directory.groupsOf(account);
    return { uid: account.uid, gids: new Set(gids), name: account.name };
  }

  async #claimed({ uid, gids }: ClaimedAccount = {}): Promise<Account> {
    const isKnown = uid !== undefined && isPerson(uid);
    // If the token's user id is not a person's, its groups do not count either.
    if (uid !== undefined && !isKnown) return UNKNOWN_ACCOUNT;
    // A claim must not grant root's group.
    if (gids !== undefined) return { uid, gids: new Set(gids.filter((gid) => gid !== 0)) };
    if (uid === undefined) return UNKNOWN_ACCOUNT;
    const account = await this.#directory.accountOf(uid);
    return account === undefined ? { uid, gids: new Set() } : this.#whoOf(account);
  }
}
