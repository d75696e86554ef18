/** Reads and writes user data in Solr, for src/index/user-data/user-documents.ts. */
import { FILES } from "../collections/configset.js";
import { requireReplayed } from "../collections/update-log.js";
import { SolrRefused, SolrUnavailable } from "../errors.js";
import { markFields, NEWEST } from "../loading/marks/write-marks.js";
import { searchParameters } from "../query/parameters.js";
import { mayBeBroken } from "../transport/broken-index.js";
import { SolrCollection, type UpdateError } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { parseWithVersions, readAnswer } from "../transport/json-response.js";

/** A document to be stored: JSON, without the fields that a write adds. */
export interface NewDocument {
  readonly file: string;
  readonly text: string;
}

/** Identifies one write of documents, so that its writer recognises them. */
export interface WriteId {
  readonly claim: string;
  /** ISO 8601. */
  readonly time: string;
}

/** A stored document. */
export interface StoredFile {
  readonly file: string;
  readonly version: string;
  /** The write that wrote it; undefined if not recorded. */
  readonly claim: string | undefined;
}

/** One page of documents in the order of `file`. */
interface StoredPage {
  readonly found: readonly StoredFile[];
  /** The start of the next page. */
  readonly next: string;
}

/** Writes can safely be sent twice: a document that was written already is recognised by the id of its write. */
const IDEMPOTENT = { idempotent: true };

/** The operations on the index. Each throws SolrUnavailable, SolrTimeout, SolrRefused. */
export type UserCollection = Pick<SolrUserCollection, keyof SolrUserCollection>;

export class SolrUserCollection {
  readonly #http: SolrHttp;
  readonly #collection: SolrCollection;

  constructor(http: SolrHttp) {
    this.#http = http;
    this.#collection = new SolrCollection(http, FILES);
  }

  /** Whether an acknowledged write may be lost; see SolrCollection. */
  get mayLose(): boolean {
    return this.#collection.mayLose;
  }

  /** @throws SolrUnavailable while it does not show all acknowledged changes */
  ready(): Promise<void> {
    return requireReplayed(this.#http);
  }

  /**
   * Inserts each document whose file has none.
   *
   * @returns the files of the others
   * @throws SolrRefused if Solr refuses a document for another reason than its version: a bug of this service
   */
  async insert(
    { claim, time }: WriteId,
    entries: readonly NewDocument[],
  ): Promise<ReadonlySet<string>> {
    if (entries.length === 0) return new Set();
    // -1: must not exist (Solr Reference Guide, "Optimistic Concurrency").
    const common = `{"_version_":-1,${markFields(NEWEST, undefined)},"_claim_":"${claim}","added":"${time}","updated":"${time}",`;
    const body = Buffer.from(`[${entries.map(({ text }) => common + text.slice(1)).join(",")}]`);
    return this.#conflicts(await this.#collection.updateTolerantly(body, IDEMPOTENT));
  }

  /** The stored documents of files, including uncommitted ones. */
  async read(files: readonly string[]): Promise<ReadonlyMap<string, StoredFile>> {
    const found = await this.#collection.get<StoredDocument>(files, FIELDS);
    return new Map(found.map((document) => [document.file, asStored(document)]));
  }

  /** Deletes each document that still has its version. @returns the files of the others */
  async remove(found: readonly StoredFile[]): Promise<ReadonlySet<string>> {
    const versions = new Map(found.map(({ file, version }) => [file, version]));
    return this.#conflicts(await this.#collection.deleteVersions(versions, IDEMPOTENT));
  }

  /** The visible documents that match. @param from `next` of the page before */
  async list(clauses: readonly string[], rows: number, from = "*"): Promise<StoredPage> {
    const page = { fl: FIELDS.join(","), rows: String(rows), sort: "file asc", cursorMark: from };
    const parameters = searchParameters({ filters: clauses }, page);
    const { text } = await this.#collection.select(parameters);
    const { response, nextCursorMark } = parseWithVersions(text) as {
      response: { docs: readonly StoredDocument[] };
      nextCursorMark: string;
    };
    return { found: response.docs.map(asStored), next: nextCursorMark };
  }

  /** Counts the visible documents of a write that were not deleted. */
  async countStanding({ claim }: WriteId): Promise<number> {
    const parameters = new URLSearchParams({ q: `{!term f=_claim_}${claim}`, rows: "0" });
    const { text } = await this.#collection.select(parameters);
    return readAnswer<{ response: { numFound: number } }>(text).response.numFound;
  }

  /**
   * Makes changes visible. A soft commit where that is enough: the changes are in the update log of a single Solr, which survives
   * a crash, and Solr's own commits write them to disk within a minute.
   */
  commit(): Promise<void> {
    return this.#collection.commit(true);
  }

  /** The files with a version conflict. @throws SolrUnavailable, SolrRefused for all other errors */
  #conflicts(errors: readonly UpdateError[]): ReadonlySet<string> {
    const other = errors.find(({ message }) => !/version conflict for /.test(message));
    if (other !== undefined) {
      this.#http.noteFailure(other.message);
      // A SolrCloud also refuses documents because a node fails, or leads no more.
      const mayPass = this.mayLose || mayBeBroken(other.message);
      const failed = mayPass ? SolrUnavailable : SolrRefused;
      throw new failed(`${other.id}: ${other.message}`);
    }
    return new Set(errors.map(({ id }) => id));
  }
}

const FIELDS = ["file", "_version_", "_claim_"];

interface StoredDocument {
  readonly file: string;
  readonly _version_: string;
  readonly _claim_?: string;
}

const asStored = ({ file, _version_, _claim_ }: StoredDocument): StoredFile => ({
  file,
  version: _version_,
  claim: _claim_,
});
