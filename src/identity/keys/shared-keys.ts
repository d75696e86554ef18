/**
 * Signing keys in the state store, shared by all instances. A single entry holds all keys: private parts sealed, public
 * parts in plain text.
 *
 * With a single entry, a rotation is one write. Instances never disagree about the newest key, only one of several
 * instances that start on an empty store makes the first key, and resealing is all or nothing.
 */
import type { JWK } from "jose";
import { z } from "zod";
import type { CopiedEntries, ReadEntry, StateCopy } from "../../index/state/state-copy.js";
import { UserError } from "../../platform/errors.js";
import type { Report } from "../accounts/records.js";
import {
  type AnyKey,
  type KeyInspection,
  type KeyStore,
  makeKey,
  outdated,
  signingKey,
  verifyingKey,
} from "./keys.js";
import type { Sealer } from "./sealing.js";

/** Keys that this instance cannot use. The message is one sentence. */
class UnusableKeys extends UserError {
  override readonly name = "UnusableKeys";
}

const ID = "signing-keys";

const storedKey = z.object({
  kid: z.string(),
  /** Milliseconds since 1970. */
  created: z.number(),
  public: z.object({ x: z.string(), y: z.string() }),
  /** The sealed private key; see sealing.ts. */
  sealed: z.string(),
});
type StoredKey = z.infer<typeof storedKey>;

/** From the newest to the oldest. */
const stored = z.object({ keys: z.array(storedKey) });
type Stored = z.infer<typeof stored>;

export interface FoundSealer {
  readonly sealer: Sealer;
  /** Removes the state key that was made for this sealer, if it opens nothing. */
  discard?(): Promise<void>;
}

/** @param isEmpty whether no key is stored yet */
type FindSealer = (isEmpty: boolean) => Promise<FoundSealer>;

export class SharedKeys implements KeyStore {
  readonly #entries: CopiedEntries<Stored>;
  readonly #findSealer: FindSealer;
  readonly #report: Report;
  #found: FoundSealer | undefined;
  /** The opened keys, and the entry that they were opened from */
  #opened: { readonly of: Stored; readonly keys: Promise<readonly AnyKey[]> } | undefined;
  readonly #byId = new Map<string, AnyKey>();

  /** @param report gets a line for each key of another instance that this one cannot open */
  constructor(copy: StateCopy, findSealer: FindSealer, report: Report) {
    this.#entries = copy.of(ID, (value) => stored.safeParse(value).data);
    this.#findSealer = findSealer;
    this.#report = report;
  }

  async open(): Promise<void> {
    await this.#edit(async (keys, sealer) => {
      if (keys.length > 0) return undefined;
      const { kid, key } = await makeKey();
      return [await sealedKey(sealer, kid, key, Date.now())];
    });
  }

  cached(): Promise<readonly AnyKey[]> {
    return this.known();
  }

  async known(): Promise<readonly AnyKey[]> {
    const now = this.#entries.get(ID);
    if (now === undefined) return [];
    if (this.#opened?.of !== now) this.#opened = { of: now, keys: this.#openAll(now) };
    return this.#opened.keys;
  }

  async refresh(): Promise<readonly AnyKey[]> {
    await this.#entries.lookUp(ID);
    return this.known();
  }

  async inspect(): Promise<KeyInspection> {
    await this.#entries.lookUp(ID);
    const keys = this.#entries.get(ID)?.keys ?? [];
    if (keys.length > 0) this.#found ??= await this.#findSealer(false);
    const { sealer } = this.#found ?? {};
    const opened = await Promise.all(
      keys.map(async ({ kid, sealed }) => ({
        isCurrent: (await sealer?.isCurrent(kid, sealed)) === true,
        isOpen: (await sealer?.open(kid, sealed)) !== undefined,
      })),
    );
    return {
      created: keys.map(({ created }) => created),
      canSign: opened[0]?.isOpen === true,
      sealedUnderOtherKey: opened.filter(({ isCurrent }) => !isCurrent).length,
    };
  }

  /** @throws UnusableKeys if existing keys cannot be opened */
  async add(): Promise<string> {
    const { kid, key } = await makeKey();
    await this.#edit(async (keys, sealer) => {
      // Another instance's clock may be ahead, but the new key must be the newest.
      const created = Math.max(Date.now(), (keys[0]?.created ?? 0) + 1);
      return [await sealedKey(sealer, kid, key, created), ...keys];
    });
    return kid;
  }

  async prune(now = Date.now()): Promise<void> {
    await this.#edit(async (keys) => {
      const old = outdated(keys, now);
      return old.length === 0 ? undefined : keys.filter((key) => !old.includes(key));
    });
  }

  /** Seals all private keys under the current state key. @returns how many were resealed */
  async seal(): Promise<number> {
    let changed = 0;
    await this.#edit(async (keys, sealer) => {
      changed = 0;
      const sealed: StoredKey[] = [];
      for (const key of keys) {
        const isCurrent = await sealer.isCurrent(key.kid, key.sealed);
        const opened = isCurrent ? undefined : await sealer.open(key.kid, key.sealed);
        if (opened !== undefined) changed += 1;
        sealed.push(opened ? { ...key, sealed: await sealer.seal(key.kid, opened) } : key);
      }
      return changed === 0 ? undefined : sealed;
    });
    return changed;
  }

  /** The keys of the entry, after checking that all can be opened. */
  async #usable({ previous, value }: ReadEntry<Stored>) {
    if (previous !== undefined && value === undefined) {
      throw new UnusableKeys(`The entry ${ID} of Solr's collection state is not valid.`);
    }
    const keys = value?.keys ?? [];
    this.#found ??= await this.#findSealer(keys.length === 0);
    const { sealer, discard } = this.#found;
    for (const { kid, sealed } of keys) {
      if ((await sealer.open(kid, sealed)) !== undefined) continue;
      await discard?.();
      throw new UnusableKeys(
        "The signing keys in Solr's collection state cannot be opened: set STATE_KEY to the key that sealed them (if it was not set, the file state.key in the DATA_DIR of the instance that made them).",
      );
    }
    return { keys, sealer };
  }

  /**
   * Changes the keys. Runs again if another instance changed them meanwhile.
   *
   * @param work gives undefined to change nothing
   */
  async #edit(
    work: (keys: readonly StoredKey[], sealer: Sealer) => Promise<readonly StoredKey[] | undefined>,
  ): Promise<void> {
    await this.#entries.edit(
      ID,
      async (read) => {
        const { keys, sealer } = await this.#usable(read);
        const next = await work(keys, sealer);
        return { result: undefined, next: next && { value: { keys: next } } };
      },
      "The signing keys are being changed by other instances; try again.",
    );
  }

  /** Opens each key once: keys never change. */
  async #openAll({ keys }: Stored): Promise<readonly AnyKey[]> {
    const opened = await Promise.all(
      keys.map((key) => this.#byId.get(key.kid) ?? this.#openKey(key)),
    );
    const usable = opened.filter((key) => key !== undefined);
    this.#byId.clear();
    for (const key of usable) this.#byId.set(key.kid, key);
    return usable;
  }

  async #openKey(key: StoredKey): Promise<AnyKey | undefined> {
    const { kid, created, sealed } = key;
    try {
      const bare = await this.#found?.sealer.open(kid, sealed);
      if (bare !== undefined) return await signingKey(kid, created, bare);
      this.#report(
        `The signing key ${kid} cannot be opened with STATE_KEY; this instance can only verify with it.`,
      );
      return await verifyingKey(kid, created, key.public);
    } catch {
      this.#report(`The signing key ${kid} does not match its id and is ignored.`);
      return undefined;
    }
  }
}

/** @param key with its private part in plain text */
async function sealedKey(
  sealer: Sealer,
  kid: string,
  key: JWK,
  created: number,
): Promise<StoredKey> {
  const { x = "", y = "" } = key;
  return { kid, created, public: { x, y }, sealed: await sealer.seal(kid, key) };
}
