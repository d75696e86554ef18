/** Reads and writes user data in one Solr collection, for the protocol of src/index/user-data/user-documents.ts. */

import { batchesOf } from "../../platform/time-slices.js";
import type { Catalogue } from "../collections/configset.js";
import { SolrRefused, SolrUnavailable } from "../errors.js";
import { searchParameters } from "../query/facets.js";
import { mayBeBroken } from "../transport/broken-index.js";
import { SolrCollection, type UpdateError } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";

/** A document to be stored: JSON, without the fields that a write adds. */
export interface Entry {
  readonly file: string;
  readonly text: string;
}

/** Identifies one write of documents. Its documents have this id in both collections. */
export interface WriteId {
  readonly claim: string;
  /** ISO 8601, different for each write of this process. */
  readonly moment: string;
}

/** The stored document of a file. */
export interface StoredFile {
  readonly owner: string | undefined;
  readonly version: string;
  /** The write that wrote it; undefined if not recorded. */
  readonly claim: string | undefined;
}

/** Documents to write, with conditions. */
export interface WriteRequest {
  readonly writing: WriteId;
  /** Each with the version that the stored document must have. */
  readonly documents: readonly { readonly entry: Entry; readonly version: string }[];
}

/** The version of a document that must not exist yet (Solr Reference Guide, "Optimistic Concurrency"). */
export const NEW = "-1";

/** The operations of the protocol on a collection. Each throws SolrUnavailable, SolrTimeout, SolrRefused. */
export interface UserCollection {
  /** Whether an acknowledged write may be lost; see SolrCollection. */
  readonly mayLose: boolean;
  /** Writes each document whose stored version matches. @returns the files of the others */
  write(writes: WriteRequest): Promise<ReadonlySet<string>>;
  /** The stored documents of files, including uncommitted ones. */
  read(files: readonly string[]): Promise<ReadonlyMap<string, StoredFile>>;
  /** Deletes each document that still has the given version. */
  remove(found: readonly { readonly file: string; readonly version: string }[]): Promise<void>;
  /** Counts the visible documents of a write that were not overwritten or deleted. */
  countStanding(writing: WriteId): Promise<number>;
  /** Counts the visible documents that match, by the write that wrote them; "" if not recorded. */
  count(clauses: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The files of those that some writings wrote. @param max how many there are at the most */
  list(clauses: readonly string[], claims: readonly string[], max: number): Promise<string[]>;
  /** Deletes the matching documents of some writes. */
  removeFound(clauses: readonly string[], claims: readonly string[]): Promise<void>;
  /** Makes changes visible. */
  commit(): Promise<void>;
}

/** Writes can safely be sent twice: a document that was written already is recognised by the id of its write. */
const IDEMPOTENT = { idempotent: true };

/** Ids of writes in one query. Solr accepts 4096 clauses. */
const MAX_CLAIMS = 1000;

/** The field that identifies writes. Collections without `_claim_` have only the time of the write. */
type ClaimField = "_claim_" | "updated";

export class SolrUserCollection implements UserCollection {
  readonly #http: SolrHttp;
  readonly #name: Catalogue;
  readonly #collection: SolrCollection;
  #field: Promise<ClaimField> | undefined;

  constructor(http: SolrHttp, name: Catalogue) {
    this.#http = http;
    this.#name = name;
    this.#collection = new SolrCollection(http, name);
  }

  get mayLose(): boolean {
    return this.#collection.mayLose;
  }

  /** @throws SolrRefused if Solr refuses a document for another reason than its version: a bug of this service */
  async write(writes: WriteRequest): Promise<ReadonlySet<string>> {
    if (writes.documents.length === 0) return new Set();
    return this.#conflicts(await this.#collection.updateTolerantly(bodyOf(writes), IDEMPOTENT));
  }

  async read(files: readonly string[]): Promise<ReadonlyMap<string, StoredFile>> {
    if (files.length === 0) return new Map();
    const field = await this.#claimField();
    const found = await this.#collection.get<GetDocument>(files, [
      "file",
      "owner",
      "_version_",
      field,
    ]);
    return new Map(
      found.map((document) => [
        document.file,
        {
          owner: document.owner,
          version: document._version_,
          claim: claimOf(document[field], field),
        },
      ]),
    );
  }

  async remove(
    found: readonly { readonly file: string; readonly version: string }[],
  ): Promise<void> {
    const versions = new Map(found.map(({ file, version }) => [file, version]));
    this.#conflicts(await this.#collection.deleteVersions(versions, IDEMPOTENT));
    if (!this.mayLose) return;
    const left = await this.read([...versions.keys()]);
    if ([...left].some(([file, { version }]) => versions.get(file) === version)) {
      throw new SolrUnavailable("what was to be deleted is still there");
    }
  }

  async countStanding({ claim, moment }: WriteId): Promise<number> {
    const field = await this.#claimField();
    const named = field === "_claim_" ? claim : moment;
    const parameters = new URLSearchParams({ q: `{!term f=${field}}${named}`, rows: "0" });
    const { text } = await this.#collection.select(parameters);
    return readAnswer<{ response: { numFound: number } }>(text).response.numFound;
  }

  async count(clauses: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const field = await this.#claimField();
    const claims = { type: "terms", field, limit: -1, missing: true };
    const given = { rows: "0", "json.facet": JSON.stringify({ claims }) };
    const parameters = searchParameters({ collection: this.#name, filters: clauses }, given);
    const { text } = await this.#collection.select(parameters);
    const { buckets = [], missing } = readAnswer<CountAnswer>(text).facets.claims ?? {};
    const counts = new Map(
      buckets.map(({ val, count }) => [claimOf(val, field) ?? "", count] as const),
    );
    if (missing !== undefined && missing.count > 0) counts.set("", missing.count);
    return counts;
  }

  async list(
    clauses: readonly string[],
    claims: readonly string[],
    most: number,
  ): Promise<string[]> {
    const files: string[] = [];
    for (const clause of claimClauses(claims, await this.#claimField())) {
      const filters = [...clauses, clause];
      const part = { rows: String(most), fl: "file" };
      const parameters = searchParameters({ collection: this.#name, filters }, part);
      const { text } = await this.#collection.select(parameters);
      const { response } = readAnswer<{ response: { docs: { file: string }[] } }>(text);
      for (const { file } of response.docs) files.push(file);
    }
    return files;
  }

  async removeFound(clauses: readonly string[], claims: readonly string[]): Promise<void> {
    for (const clause of claimClauses(claims, await this.#claimField())) {
      const query = [...clauses, clause].map((one) => `+${one}`).join(" ");
      await this.#collection.deleteFound(query);
    }
  }

  /**
   * A soft commit. The changes are already in Solr's update log, which survives a crash, and Solr's own commits write them
   * to disk within a minute.
   */
  commit(): Promise<void> {
    return this.#collection.commit(true);
  }

  /** The files with a version conflict. @throws SolrUnavailable, SolrRefused for all other errors */
  #conflicts(errors: readonly UpdateError[]): ReadonlySet<string> {
    const other = errors.find(({ message }) => !/version conflict for /.test(message));
    if (other !== undefined) {
      this.#http.noteFailure(other.message);
      const failed = mayBeBroken(other.message) ? SolrUnavailable : SolrRefused;
      throw new failed(`${other.id}: ${other.message}`);
    }
    return new Set(errors.map(({ id }) => id));
  }

  /** Finds the field once: Solr refuses to sort by a field that does not exist. */
  #claimField(): Promise<ClaimField> {
    const ask = async (): Promise<ClaimField> => {
      const nothing = { q: "*:*", rows: "0", sort: "_claim_ asc" };
      try {
        await this.#collection.select(new URLSearchParams(nothing));
        return "_claim_";
      } catch (error) {
        if (error instanceof SolrRefused) return "updated";
        this.#field = undefined;
        throw error;
      }
    };
    this.#field ??= ask();
    return this.#field;
  }
}

interface GetDocument {
  readonly file: string;
  readonly owner?: string;
  readonly _version_: string;
  readonly _claim_?: string;
  readonly updated?: string;
}

interface CountAnswer {
  readonly facets: {
    readonly claims?: {
      readonly buckets?: readonly { readonly val: string; readonly count: number }[];
      readonly missing?: { readonly count: number };
    };
  };
}

/** Times from the update log and from the index have different numbers of digits; this makes them equal. */
const claimOf = (value: string | undefined, field: ClaimField): string | undefined =>
  value === undefined || field === "_claim_" ? value : new Date(value).toISOString();

/** Clauses of the lucene parser that match the documents of some writes. */
function* claimClauses(claims: readonly string[], field: ClaimField): Generator<string> {
  if (claims.includes("")) yield `(*:* -${field}:[* TO *])`;
  const named = claims.filter((claim) => claim !== "");
  for (const batch of batchesOf(named, MAX_CLAIMS)) {
    const some = batch.map((claim) => `"${claim}"`);
    yield `${field}:(${some.join(" OR ")})`;
  }
}

const bodies = new WeakMap<WriteRequest, Uint8Array>();

/** The body of a request, cached as usually both collections get it. Text, as a JavaScript number cannot hold a version. */
function bodyOf(writes: WriteRequest): Uint8Array {
  const known = bodies.get(writes);
  if (known !== undefined) return known;
  const { claim, moment } = writes.writing;
  const common = `"_claim_":"${claim}","added":"${moment}","updated":"${moment}"`;
  const texts = writes.documents.map(
    ({ entry, version }) => `{"_version_":${version},${common},${entry.text.slice(1)}`,
  );
  const body = Buffer.from(`[${texts.join(",")}]`);
  bodies.set(writes, body);
  return body;
}
