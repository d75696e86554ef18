/** Recipes of joined stores in the state store, so that all instances know them, also after a restart. */

import { gunzipSync, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { DAY } from "../../domain/extent/durations.js";
import type { Owner } from "../../domain/user-data/owner.js";
import { type JoinOptions, joinId, type Recipe } from "../../files/zarr/join/recipe.js";
import type { StateStore } from "../../index/state/state-store.js";
import { type JoinLimits, JoinQuota } from "./join-quota.js";

const KIND = "join";
/** Milliseconds for which a recipe is kept after its last use, and after which its use is noted. */
const LIFETIME = 90 * DAY;
const NOTED_AFTER = DAY;
/** Files of all recipes in memory, each some 500 bytes. */
const MAX_CACHED_FILES = 100_000;

/** As stored: the files are many, and similar. */
interface Stored extends JoinOptions {
  /** Compressed JSON, in base64. */
  readonly files: string;
}

type Store = Pick<StateStore, "read" | "readAll" | "write" | "overwrite">;

const entryId = (id: string): string => `join:${id}`;

export class JoinRecipes {
  readonly #known = new LRUCache<string, Recipe>({
    maxSize: MAX_CACHED_FILES,
    sizeCalculation: ({ files }) => files.length,
    // Then it is read again, and its use noted.
    ttl: NOTED_AFTER,
  });
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #quota: JoinQuota;

  constructor(store: Store, clock: () => number = Date.now, limits?: JoinLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#quota = new JoinQuota(store, clock, limits);
  }

  /**
   * Stores recipes. Those that are stored already count for nobody, and are kept longer.
   *
   * @param by who adds them
   * @returns the identifiers of their stores
   * @throws TooManyRequests if the user has added too many, and then none is stored; SolrUnavailable, SolrTimeout
   */
  async save(recipes: readonly Recipe[], by: Owner): Promise<string[]> {
    const ids = recipes.map(joinId);
    const unknown = new Map<string, Recipe>();
    for (const [i, recipe] of recipes.entries()) {
      const id = ids[i];
      if (id !== undefined && !this.#known.has(id)) unknown.set(id, recipe);
    }
    const stored = await this.#store.readAll([...unknown.keys()].map(entryId));
    const added = [...unknown].filter(([id]) => !stored.has(entryId(id)));
    if (added.length > 0) {
      const files = added.reduce((sum, [, recipe]) => sum + recipe.files.length, 0);
      await this.#quota.add(by, { stores: added.length, files });
    }
    for (const [id, recipe] of unknown) await this.#write(id, recipe);
    return ids;
  }

  /** The recipe of an identifier; undefined if there is none, or if it has expired. @throws SolrUnavailable, SolrTimeout */
  async find(id: string, signal?: AbortSignal): Promise<Recipe | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const entry = await this.#store.read(entryId(id), signal);
    if (entry?.kind !== KIND) return undefined;
    const { files, ...options } = entry.value as Stored;
    const text = gunzipSync(Buffer.from(files, "base64")).toString();
    const recipe: Recipe = { ...options, files: JSON.parse(text) };
    this.#known.set(id, recipe);
    if (entry.expires - this.#clock() < LIFETIME - NOTED_AFTER) await this.#write(id, recipe);
    return recipe;
  }

  async #write(id: string, recipe: Recipe): Promise<void> {
    const files = gzipSync(JSON.stringify(recipe.files)).toString("base64");
    const value: Stored = { ...recipe, files };
    const expires = this.#clock() + LIFETIME;
    await this.#store.overwrite(entryId(id), { kind: KIND, value, expires });
    this.#known.set(id, recipe);
  }
}
