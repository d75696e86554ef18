/** Bounds how much each user may add to the stored recipes of joined stores, whichever instance answers. */
import { DAY } from "../../domain/extent/durations.js";
import type { Owner } from "../../domain/user-data/owner.js";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { TooManyRequests } from "../errors.js";

const KIND = "join-quota";
/** Days for which what was added counts: as long as a recipe is kept. */
const QUOTA_DAYS = 90;
/** Attempts to write while the same user adds elsewhere. */
const MAX_TRIES = 20;

/** Stores and files that one user may add within the days that count. */
export interface JoinLimits {
  readonly stores: number;
  readonly files: number;
}

/** A recipe takes some 50 bytes for a file: 50 MB for each user at most. */
const JOIN_LIMITS: JoinLimits = { stores: 20_000, files: 1_000_000 };

/** The additions of one day. `day` counts from 1970. */
interface Added extends JoinLimits {
  readonly day: number;
}

export class JoinQuota {
  readonly #store: Pick<StateStore, "read" | "write">;
  readonly #clock: () => number;
  readonly #limits: JoinLimits;

  constructor(
    store: Pick<StateStore, "read" | "write">,
    clock: () => number = Date.now,
    limits = JOIN_LIMITS,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Counts stores that a user adds.
   *
   * @throws TooManyRequests if they exceed what the user may add, and then none is counted; SolrUnavailable, SolrTimeout
   */
  async add(by: Owner, wanted: JoinLimits): Promise<void> {
    const id = `${KIND}:${sha256(by.id)}`;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const now = this.#clock();
      const today = Math.floor(now / DAY);
      const previous = await this.#store.read(id);
      const known = previous?.kind === KIND ? (previous.value as readonly Added[]) : [];
      const counted = known.filter(({ day }) => day > today - QUOTA_DAYS);
      this.#require(counted, wanted, now);
      const current = counted.find(({ day }) => day === today);
      const value: Added[] = [
        ...counted.filter((one) => one !== current),
        {
          day: today,
          stores: (current?.stores ?? 0) + wanted.stores,
          files: (current?.files ?? 0) + wanted.files,
        },
      ];
      const expires = now + QUOTA_DAYS * DAY;
      const entry = { kind: KIND, value, expires };
      if ((await this.#store.write(id, entry, previous)).isWritten) return;
    }
    throw new TooManyRequests(
      "You ask for too many joined stores at the same time.",
      1,
      this.#usedUp(1),
    );
  }

  #require(counted: readonly Added[], wanted: JoinLimits, now: number): void {
    const sum = (of: (added: JoinLimits) => number): number =>
      counted.reduce((all, one) => all + of(one), of(wanted));
    const stores = sum((one) => one.stores);
    const files = sum((one) => one.files);
    if (stores <= this.#limits.stores && files <= this.#limits.files) return;
    const oldest = Math.min(...counted.map(({ day }) => day), Math.floor(now / DAY));
    const seconds = Math.max(1, Math.ceil(((oldest + QUOTA_DAYS) * DAY - now) / 1000));
    throw new TooManyRequests(
      `You may add ${this.#limits.stores} joined stores with ${this.#limits.files} files in ${QUOTA_DAYS} days, and with these it would be ${stores} with ${files}: use the addresses that you have, or join fewer files.`,
      seconds,
      this.#usedUp(seconds),
    );
  }

  #usedUp(seconds: number) {
    const policy = `"joins";q=${this.#limits.stores};w=${(QUOTA_DAYS * DAY) / 1000}`;
    return { policy, limit: `"joins";r=0;t=${seconds}` };
  }
}
