/**
 * Signing keys in the store that all instances share: one entry has them all, private parts sealed, public parts open.
 *
 * One entry, because a rotation is then one write: there is no moment at which two instances disagree about which key is
 * the newest, of several that start on an empty store one makes the first key, and to seal all anew is all or nothing.
 */
import type { JWK } from "jose";
import { z } from "zod";
import type { CopiedEntries, ReadEntry, StateCopy } from "../../index/state/state-copy.js";
import { UserError } from "../../platform/errors.js";
import type { Report } from "../accounts/json-file.js";
import {
  type AnyKey,
  type KeyStore,
  type KeysLook,
  makeKey,
  outdated,
  signingKey,
  verifyingKey,
} from "./keys.js";
import type { Sealer } from "./sealing.js";

/** Keys that this instance cannot use; the message is one sentence. */
export class UnusableKeys extends UserError {
  override readonly name = "UnusableKeys";
}

const ID = "signing-keys";

const storedKey = z.object({
  kid: z.string(),
  /** Milliseconds since 1970. */
  created: z.number(),
  public: z.object({ x: z.string(), y: z.string() }),
  /** The private key; see sealing.ts. */
  sealed: z.string(),
});
type StoredKey = z.infer<typeof storedKey>;

/** From the newest to the oldest. */
const stored = z.object({ keys: z.array(storedKey) });
type Stored = z.infer<typeof stored>;

/** A key as a folder keeps it. */
export interface BareKey {
  readonly kid: string;
  readonly created: number;
  readonly key: JWK;
}

/** What opens and seals. */
export interface FoundSealer {
  readonly sealer: Sealer;
  /** Takes back what was made to have one, as it opens nothing. */
  discard(): Promise<void>;
}

/** @param isEmpty whether no key is kept yet */
export type FindSealer = (isEmpty: boolean) => Promise<FoundSealer>;

export class SharedKeys implements KeyStore {
  readonly #entries: CopiedEntries<Stored>;
  readonly #findSealer: FindSealer;
  readonly #report: Report;
  #found: FoundSealer | undefined;
  /** What was made of the entry last, and of which. */
  #opened: { readonly of: Stored; readonly keys: Promise<readonly AnyKey[]> } | undefined;
  readonly #byId = new Map<string, AnyKey>();

  /** @param report hears of keys that another instance has made and this one cannot open */
  constructor(copy: StateCopy, findSealer: FindSealer, report: Report) {
    this.#entries = copy.of(ID, (value) => stored.safeParse(value).data);
    this.#findSealer = findSealer;
    this.#report = report;
  }

  async open(): Promise<void> {
    await this.#edit(async (keys, sealer) => {
      if (keys.length > 0) return undefined;
      return [await sealedKey(sealer, { ...(await makeKey()), created: Date.now() })];
    });
  }

  remembered(): Promise<readonly AnyKey[]> {
    return this.known();
  }

  async known(): Promise<readonly AnyKey[]> {
    const now = this.#entries.get(ID);
    if (now === undefined) return [];
    if (this.#opened?.of !== now) this.#opened = { of: now, keys: this.#keysOf(now) };
    return this.#opened.keys;
  }

  async look(): Promise<readonly AnyKey[]> {
    await this.#entries.look(ID);
    return this.known();
  }

  async inspect(): Promise<KeysLook> {
    await this.#entries.look(ID);
    const keys = this.#entries.get(ID)?.keys ?? [];
    if (keys.length > 0) this.#found ??= await this.#findSealer(false);
    const { sealer } = this.#found ?? {};
    const seen = await Promise.all(
      keys.map(async ({ kid, sealed }) => ({
        isCurrent: (await sealer?.isCurrent(kid, sealed)) === true,
        isOpen: (await sealer?.open(kid, sealed)) !== undefined,
      })),
    );
    return {
      created: keys.map(({ created }) => created),
      canSign: seen[0]?.isOpen === true,
      sealedOtherwise: seen.filter(({ isCurrent }) => !isCurrent).length,
    };
  }

  /** @throws UnusableKeys where those that there are cannot be opened; ServiceBusy, SolrUnavailable, SolrTimeout */
  async add(): Promise<string> {
    const { kid, key } = await makeKey();
    await this.#edit(async (keys, sealer) => {
      // By another instance's clock the one before may be of later: the newest must look so.
      const created = Math.max(Date.now(), (keys[0]?.created ?? 0) + 1);
      return [await sealedKey(sealer, { kid, key, created }), ...keys];
    });
    return kid;
  }

  async prune(now = Date.now()): Promise<void> {
    await this.#edit(async (keys) => {
      const old = outdated(keys, now);
      return old.length === 0 ? undefined : keys.filter((key) => !old.includes(key));
    });
  }

  /** Takes keys over that were kept elsewhere, each at its age. @returns how many were not there */
  async take(bare: readonly BareKey[]): Promise<number> {
    let taken = 0;
    await this.#edit(async (keys, sealer) => {
      const missing = bare.filter(({ kid }) => keys.every((key) => key.kid !== kid));
      taken = missing.length;
      if (taken === 0) return undefined;
      const sealed = await Promise.all(missing.map((key) => sealedKey(sealer, key)));
      return [...keys, ...sealed].sort((a, b) => b.created - a.created);
    });
    return taken;
  }

  /** Seals all private keys under the first of the keys that open them. @returns how many were sealed anew */
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

  /** The keys of the entry, all of which can be opened. @throws UnusableKeys */
  async #usable({ previous, value }: ReadEntry<Stored>) {
    if (previous !== undefined && value === undefined) {
      throw new UnusableKeys(`The entry ${ID} of Solr's collection state is not valid.`);
    }
    const keys = value?.keys ?? [];
    this.#found ??= await this.#findSealer(keys.length === 0);
    const { sealer, discard } = this.#found;
    for (const { kid, sealed } of keys) {
      if ((await sealer.open(kid, sealed)) !== undefined) continue;
      await discard();
      throw cannotBeOpened();
    }
    return { keys, sealer };
  }

  /** Changes the keys; of two who do so at once the later one begins again. @param work undefined changes nothing */
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
      "The signing keys are being changed by others; please try again.",
    );
  }

  /** A key never changes: what was opened once stays so. */
  async #keysOf({ keys }: Stored): Promise<readonly AnyKey[]> {
    const opened = await Promise.all(
      keys.map((key) => this.#byId.get(key.kid) ?? this.#opening(key)),
    );
    const usable = opened.filter((key) => key !== undefined);
    this.#byId.clear();
    for (const key of usable) this.#byId.set(key.kid, key);
    return usable;
  }

  async #opening(key: StoredKey): Promise<AnyKey | undefined> {
    const { kid, created, sealed } = key;
    try {
      const bare = await this.#found?.sealer.open(kid, sealed);
      if (bare !== undefined) return await signingKey(kid, created, bare);
      this.#report(
        `The signing key ${kid} cannot be opened with STATE_KEY; it only verifies here.`,
      );
      return await verifyingKey(kid, created, key.public);
    } catch {
      this.#report(`The signing key ${kid} is no key of its id and is left out.`);
      return undefined;
    }
  }
}

const cannotBeOpened = (): UnusableKeys =>
  new UnusableKeys(
    "The signing keys in Solr's collection state cannot be opened: set STATE_KEY or STATE_KEY_FILE to the key that they were sealed under (the file state.key in the DATA_DIR of the instance that made them, where neither was set).",
  );

async function sealedKey(sealer: Sealer, { kid, created, key }: BareKey): Promise<StoredKey> {
  const { x = "", y = "" } = key;
  return { kid, created, public: { x, y }, sealed: await sealer.seal(kid, key) };
}
