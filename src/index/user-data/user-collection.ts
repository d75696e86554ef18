/** One of the collections that hold user data, as far as src/index/user-data/user-documents.ts needs it. */

import { batchesOf } from "../../platform/time-slices.js";
import type { Catalogue } from "../collections/configset.js";
import { SolrRefused, SolrUnavailable } from "../errors.js";
import { searchParameters } from "../query/facets.js";
import { mayBeBroken } from "../transport/broken-index.js";
import { SolrCollection, type UpdateError } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";

/** A document as it is sent, JSON but for what a writing adds. */
export interface Entry {
  readonly file: string;
  readonly text: string;
}

/** One writing of documents: what it has written is known by it, in both collections and for ever. */
export interface Writing {
  readonly claim: string;
  /** ISO 8601, of no other writing of this process. */
  readonly moment: string;
}

/** What stands under a file. */
export interface Present {
  readonly owner: string | undefined;
  readonly version: string;
  /** Which writing wrote it; undefined where that was not noted. */
  readonly claim: string | undefined;
}

/** Documents that are written on conditions. */
export interface Writes {
  readonly writing: Writing;
  /** Each with the version in which it must stand now. */
  readonly documents: readonly { readonly entry: Entry; readonly version: string }[];
}

/** Must not exist (Solr Reference Guide, "Optimistic Concurrency"). */
export const NEW = "-1";

/** What the protocol asks of a collection; each throws SolrUnavailable, SolrTimeout, SolrRefused. */
export interface UserCollection {
  /** Whether a write may be answered as if it were done, and is not; see SolrCollection. */
  readonly mayLose: boolean;
  /** Writes each document whose version is the one that is named. @returns the files of the others */
  write(writes: Writes): Promise<ReadonlySet<string>>;
  /** What stands under files, also what no commit has made visible yet. */
  read(files: readonly string[]): Promise<ReadonlyMap<string, Present>>;
  /** Deletes each document whose version is still the one that was seen. */
  remove(found: readonly { readonly file: string; readonly version: string }[]): Promise<void>;
  /** How many visible documents a writing has written that nobody has written over or deleted. */
  stands(writing: Writing): Promise<number>;
  /** How many visible documents a search finds, by what wrote them; under "" those that do not tell. */
  count(clauses: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The files of those that some writings wrote. @param most how many there are at the most */
  list(clauses: readonly string[], claims: readonly string[], most: number): Promise<string[]>;
  /** Deletes those that some writings wrote. */
  removeFound(clauses: readonly string[], claims: readonly string[]): Promise<void>;
  /** Makes changes visible. */
  commit(): Promise<void>;
}

/** A document that was written already is found with the name of its writing: nothing is done twice by that. */
const AGAIN = { idempotent: true };

/** Names of writings in one query, of which Solr admits 4096 clauses. */
const MAX_CLAIMS = 1000;

/** Which field tells writings apart; collections that were made before have no other than the moment. */
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

  /** @throws SolrRefused when Solr does not take a document for another reason than its version: a fault of ours */
  async write(writes: Writes): Promise<ReadonlySet<string>> {
    if (writes.documents.length === 0) return new Set();
    return this.#told(await this.#collection.updateTolerantly(bodyOf(writes), AGAIN));
  }

  async read(files: readonly string[]): Promise<ReadonlyMap<string, Present>> {
    if (files.length === 0) return new Map();
    const field = await this.#claimField();
    const found = await this.#collection.get<GetDocument>(files, [
      ...["file", "owner", "_version_"],
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
    this.#told(await this.#collection.deleteVersions(versions, AGAIN));
    if (!this.mayLose) return;
    const left = await this.read([...versions.keys()]);
    if ([...left].some(([file, { version }]) => versions.get(file) === version)) {
      throw new SolrUnavailable("what was to be deleted is still there");
    }
  }

  async stands({ claim, moment }: Writing): Promise<number> {
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
   * They are in Solr's update log already, which a Solr that is killed reads at its next start; its own commits bring them
   * to disk within a minute.
   */
  commit(): Promise<void> {
    return this.#collection.commit(true);
  }

  /** The files whose version was another. @throws SolrUnavailable, SolrRefused for what else was not done */
  #told(errors: readonly UpdateError[]): ReadonlySet<string> {
    const other = errors.find(({ message }) => !/version conflict for /.test(message));
    if (other !== undefined) {
      this.#http.noteFailure(other.message);
      const failed = mayBeBroken(other.message) ? SolrUnavailable : SolrRefused;
      throw new failed(`${other.id}: ${other.message}`);
    }
    return new Set(errors.map(({ id }) => id));
  }

  /** Asked once: nothing is to be sorted, but it is refused where there is no such field. */
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

/** A moment is written with more or fewer digits, whether it comes of the update log or of the index. */
const claimOf = (value: string | undefined, field: ClaimField): string | undefined =>
  value === undefined || field === "_claim_" ? value : new Date(value).toISOString();

/** That a document was written by one of some writings, as clauses of the lucene parser. */
function* claimClauses(claims: readonly string[], field: ClaimField): Generator<string> {
  if (claims.includes("")) yield `(*:* -${field}:[* TO *])`;
  const named = claims.filter((claim) => claim !== "");
  for (const batch of batchesOf(named, MAX_CLAIMS)) {
    const some = batch.map((claim) => `"${claim}"`);
    yield `${field}:(${some.join(" OR ")})`;
  }
}

const bodies = new WeakMap<Writes, Uint8Array>();

/** Mostly the same is sent to both collections. Of versions, no JavaScript number has to hold the digits. */
function bodyOf(writes: Writes): Uint8Array {
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
