/** Finds the documents of data sets by their identifiers, and which of the data sets are public. */
import { LRUCache } from "lru-cache";
import type { Ownership } from "../../domain/user-data/owner.js";
import { NoSuchData } from "../../files/errors.js";
import { datasetId, digestsOf } from "../../files/zarr/address.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import type { Solr } from "../../index/solr.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { groupBy } from "../../platform/group-by.js";
import type { AccessParts } from "./access-services.js";
import { type Cancellable, ownershipOf, textOf } from "./data-claims.js";
import { localPath } from "./local-path.js";

export interface Found extends Ownership {
  /** The path on this machine that the document names. */
  readonly path: string | undefined;
  readonly facts: FileFacts;
}

export interface FileFacts {
  /** Bytes. */
  readonly size: number | undefined;
  /** ISO 8601. */
  readonly modified: string | undefined;
  /** An algorithm and its digits. */
  readonly checksum: string | undefined;
}

/** The fields of a document that name the location and owner of its data, and of the facts about its file. */
const FIELDS = ["file", "uri", "user", "owner", "size", "modified", "checksum"];

/** Answers to cache: as many as one join has files, and more. */
const MAX_CACHED = 20_000;
/** Identifiers in one search: Solr bounds the clauses of a query. */
const BATCH = 100;
/** Milliseconds for which an answer of the index is cached: a client reads many chunks. */
const CACHE_TTL = 10_000;

export class DataDocuments {
  readonly #found = new LRUCache<string, Found>({ max: MAX_CACHED, ttl: CACHE_TTL });
  readonly #solr: Pick<Solr, "byDigest">;

  constructor(solr: Pick<Solr, "byDigest">) {
    this.#solr = solr;
  }

  async find(id: string, request: Cancellable): Promise<Found> {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const found = foundOf(await this.describe(id, FIELDS, request.signal));
    this.#found.set(id, found);
    return found;
  }

  /** The documents that are found. */
  async findAll(ids: readonly string[], signal: AbortSignal): Promise<Found[]> {
    const unknown = ids.filter((id) => !this.#found.has(id));
    for (const [id, document] of await this.describeAll(unknown, FIELDS, signal))
      this.#found.set(id, foundOf(document));
    return ids.flatMap((id) => this.#found.get(id) ?? []);
  }

  async describe(
    id: string,
    fields: readonly string[],
    signal: AbortSignal,
  ): Promise<SolrDocument> {
    const document = (await this.describeAll([id], fields, signal)).get(id);
    if (document === undefined) throw new NoSuchData("There is no data set of this identifier.");
    return document;
  }

  /** The documents of identifiers, without those that no document has, or several. */
  async describeAll(
    ids: readonly string[],
    fields: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, SolrDocument>> {
    const found = new Map<string, SolrDocument>();
    for (const batch of batchesOf(ids, BATCH)) {
      const documents = await this.#solr.byDigest(batch.flatMap(digestsOf), signal, fields);
      const byId = groupBy(documents, ({ file }) => datasetId(String(file)));
      for (const id of batch) {
        const [document, ...conflicting] = byId.get(id) ?? [];
        if (document !== undefined && conflicting.length === 0) found.set(id, document);
      }
    }
    return found;
  }
}

function foundOf(document: SolrDocument): Found {
  const facts = {
    size: document.size === undefined ? undefined : Number(document.size),
    modified: textOf(document.modified),
    checksum: textOf(document.checksum),
  };
  return { ...ownershipOf(document), path: localPath(document), facts };
}

/** The data that the operator has opened to everybody (PUBLIC). */
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
