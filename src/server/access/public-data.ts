/** The data that the operator has opened to everybody (PUBLIC). */
import { LRUCache } from "lru-cache";
import { datasetId, digestsOf } from "../../files/zarr/address.js";
import type { AccessParts } from "./access-services.js";

/** Milliseconds for which an answer of the index is cached: a client reads many chunks. */
const CACHE_TTL = 10_000;
const MAX_CACHED = 10_000;

export class PublicData {
  readonly #parts: Pick<AccessParts, "solr" | "publicData">;
  readonly #known = new LRUCache<string, boolean>({ max: MAX_CACHED, ttl: CACHE_TTL });

  constructor(parts: Pick<AccessParts, "solr" | "publicData">) {
    this.#parts = parts;
  }

  /**
   * Whether a data set is found by one of the searches of PUBLIC and is nobody's own.
   *
   * @param id its identifier
   * @throws what a search throws
   */
  async has(id: string, signal: AbortSignal): Promise<boolean> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const isPublic = await this.#isFound(id, signal);
    this.#known.set(id, isPublic);
    return isPublic;
  }

  async #isFound(id: string, signal: AbortSignal): Promise<boolean> {
    const { solr, publicData } = this.#parts;
    const fields = ["file", "user", "owner"];
    for (const { filters } of publicData) {
      const documents = await solr.byDigest(digestsOf(id), signal, fields, filters);
      const found = documents.filter(({ file }) => datasetId(String(file)) === id);
      if (found.some(({ user, owner }) => user !== undefined || owner !== undefined)) return false;
      if (found.length > 0) return true;
    }
    return false;
  }
}
