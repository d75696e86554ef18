/** The data that the operator has opened to everybody (PUBLIC). */
import { LRUCache } from "lru-cache";
import { datasetId, digestsOf } from "../../files/zarr/address.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { groupBy } from "../../platform/group-by.js";
import type { AccessParts } from "./access-services.js";

/** Milliseconds for which an answer of the index is cached: a client reads many chunks. */
const CACHE_TTL = 10_000;
const MAX_CACHED = 20_000;
/** Data sets of one search: Solr bounds the clauses of a query. */
const BATCH = 100;

export class PublicData {
  readonly #parts: Pick<AccessParts, "solr" | "publicData">;
  readonly #known = new LRUCache<string, boolean>({ max: MAX_CACHED, ttl: CACHE_TTL });

  constructor(parts: Pick<AccessParts, "solr" | "publicData">) {
    this.#parts = parts;
  }

  /** Whether each of the data sets is found by one of the searches of PUBLIC and has no owner. */
  async has(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    for (const batch of batchesOf(ids, BATCH)) {
      const known = batch.map((id) => this.#known.get(id));
      if (known.includes(false)) return false;
      const unknown = batch.filter((_, i) => known[i] === undefined);
      if (unknown.length > 0 && !(await this.#findAll(unknown, signal))) return false;
    }
    return true;
  }

  /** @returns whether all of them are public */
  async #findAll(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { solr, publicData } = this.#parts;
    const fields = ["file", "user", "owner"];
    const rest = new Set(ids);
    let areAll = true;
    for (const { filters } of publicData) {
      const documents = await solr.byDigest([...rest].flatMap(digestsOf), signal, fields, filters);
      for (const [id, found] of groupBy(documents, ({ file }) => datasetId(String(file)))) {
        if (!rest.delete(id)) continue;
        const isPublic = found.every(
          ({ user, owner }) => user === undefined && owner === undefined,
        );
        this.#known.set(id, isPublic);
        areAll &&= isPublic;
      }
    }
    for (const id of rest) this.#known.set(id, false);
    return areAll && rest.size === 0;
  }
}
