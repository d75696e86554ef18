/**
 * User data in both collections: added where nobody has the file yet, deleted by its owner alone.
 *
 * Solr has no transactions over two collections, so the order of writing stands in for one. A document in
 * `files` is the claim to a file: it is made with `_version_: -1` (must not exist), so that of many who want it
 * one gets it, also from several instances. Only then the same goes into `latest`. Whoever breaks off in
 * between leaves a claim without its second half, and the same request again finds and completes it.
 */
import { SolrRefused, SolrUnavailable } from "../errors.js";
import type { Added } from "../userdata/messages.js";
import type { Owner } from "../userdata/owner.js";
import type { UserDocument } from "../userdata/read-user-data.js";
import { mayBeBroken } from "./broken-index.js";
import { SolrCollection } from "./client.js";
import { searchParameters } from "./facets.js";
import type { SolrHttp } from "./http.js";
import { requireReplayed } from "./update-log.js";

/** Documents and characters in one request to Solr; in a form a character may take nine bytes, of 32 MB. */
const BATCH_DOCUMENTS = 2000;
const BATCH_CHARACTERS = 3 * 1024 * 1024;
/** How often a file may come and go between two looks before that is called a failure. */
const MAX_TRIES = 5;

const COLLECTIONS = ["files", "latest"] as const;
type Collection = (typeof COLLECTIONS)[number];

/** A document as it is sent, JSON but for its version. */
interface Entry {
  readonly file: string;
  readonly text: string;
}

interface Batch {
  readonly entries: readonly Entry[];
  /** The body that inserts all of them; mostly it is sent twice as it is. */
  readonly insert: Uint8Array;
}

/** What stands under a file. */
interface Present {
  readonly owner: string | undefined;
  readonly version: string;
}

/** An entry whose claim is ours. */
interface Claim {
  readonly entry: Entry;
  /** Undefined: made just now. */
  readonly before: Present | undefined;
}

/** Must not exist (Solr Reference Guide, "Optimistic Concurrency"). */
const NEW = "-1";

export class UserDocuments {
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #http: SolrHttp;

  constructor(http: SolrHttp) {
    this.#http = http;
  }

  /**
   * Adds the documents whose files nobody has, to both collections, and makes them visible.
   *
   * @throws SolrUnavailable, SolrTimeout, SolrRefused; what was written until then is completed by the same
   *   call again
   */
  add(owner: Owner, documents: readonly UserDocument[]): Promise<Added> {
    return this.#oneByOne(owner, () => this.#add(owner, documents));
  }

  /**
   * Deletes the owner's documents for which all clauses hold, and makes that visible.
   *
   * @param clauses in the language of the lucene parser, the first of them the one about the owner
   * @returns how many there were
   * @throws SolrUnavailable, SolrTimeout, SolrRefused, TooComplexSearch
   */
  remove(owner: Owner, clauses: readonly string[]): Promise<number> {
    return this.#oneByOne(owner, () => this.#remove(clauses));
  }

  /** Changes of one owner happen one after the other, so that each can tell what it did itself. */
  async #oneByOne<T>({ id }: Owner, change: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(id);
    const begin = async (): Promise<T> => {
      // Else what is registered looks free, and what is to be deleted comes back.
      await requireReplayed(this.#http, COLLECTIONS);
      return change();
    };
    const mine = (before ?? Promise.resolve()).then(begin, begin);
    this.#queues.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(id) === mine) this.#queues.delete(id);
    }
  }

  async #add(owner: Owner, documents: readonly UserDocument[]): Promise<Added> {
    let added = 0;
    // While one batch goes into `latest`, the next goes into `files`.
    let behind: Promise<void> = Promise.resolve();
    try {
      for (const batch of batches(owner, documents)) {
        const claims = await this.#claim(owner, batch);
        await behind;
        behind = this.#complete(owner, batch, claims).then((count) => {
          added += count;
        });
        behind.catch(() => {});
      }
      await behind;
    } finally {
      await behind.catch(() => {});
    }
    await this.#commit();
    return { added, duplicates: documents.length - added };
  }

  /** Claims files; gives the claims that are ours, be they new or not. */
  async #claim(owner: Owner, batch: Batch): Promise<Claim[]> {
    const claims: Claim[] = [];
    let open = batch.entries;
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries === MAX_TRIES) throw new SolrUnavailable("documents come and go all the time");
      const { taken, free } = await this.#insert("files", open, batch);
      claims.push(...free.map((entry) => ({ entry, before: undefined })));
      const present = await this.#read("files", taken);
      for (const entry of taken) {
        const before = present.get(entry.file);
        if (before?.owner === owner.id) claims.push({ entry, before });
      }
      // Deleted since: then it is free again.
      open = taken.filter(({ file }) => !present.has(file));
    }
    return claims;
  }

  /** Adds what is claimed to `latest` as well; gives how many files were added or completed by that. */
  async #complete(owner: Owner, batch: Batch, claims: readonly Claim[]): Promise<number> {
    let added = 0;
    let open = claims;
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries === MAX_TRIES) throw new SolrUnavailable("documents come and go all the time");
      const byFile = new Map(open.map((claim) => [claim.entry.file, claim]));
      const inserted = await this.#insert(
        "latest",
        open.map(({ entry }) => entry),
        batch,
      );
      const { taken } = inserted;
      const present = await this.#read("latest", taken);
      const free = inserted.free.flatMap(({ file }) => byFile.get(file) ?? []);
      const halves = { files: [] as Replacement[], latest: [] as Replacement[] };
      // Broken off before: both halves get what is said now.
      for (const { entry, before } of free) if (before) halves.files.push({ entry, ...before });
      const foreign: Entry[] = [];
      const again: Claim[] = [];
      added += free.length;
      for (const entry of taken) {
        const claim = byFile.get(entry.file);
        const found = present.get(entry.file);
        if (claim === undefined) continue;
        if (found === undefined) again.push(claim);
        else if (claim.before !== undefined) continue;
        else if (found.owner !== owner.id) foreign.push(entry);
        else {
          halves.latest.push({ entry, ...found });
          added += 1;
        }
      }
      await this.#withdraw(owner, foreign);
      await Promise.all([
        this.#replace("files", halves.files),
        this.#replace("latest", halves.latest),
      ]);
      open = again;
    }
    return added;
  }

  /** Gives claims up whose file somebody else has in `latest`. */
  async #withdraw(owner: Owner, entries: readonly Entry[]): Promise<void> {
    const present = await this.#read("files", entries);
    const commands = [...present].flatMap(([file, { owner: whose, version }]) =>
      whose === owner.id ? `"delete":{"id":${JSON.stringify(file)},"_version_":${version}}` : [],
    );
    if (commands.length > 0) await this.#update("files", `{${commands.join(",")}}`);
  }

  /** Writes over what has not changed since it was looked at. */
  async #replace(collection: Collection, replacements: readonly Replacement[]): Promise<void> {
    const texts = replacements.map(({ entry, version }) => versioned(entry, version));
    if (texts.length > 0) await this.#update(collection, `[${texts.join(",")}]`);
  }

  /** Adds those of a batch that do not exist yet. */
  async #insert(
    collection: Collection,
    entries: readonly Entry[],
    { entries: all, insert }: Batch,
  ) {
    const body = entries.length === all.length ? insert : insertion(entries);
    const conflicts = await this.#update(collection, body);
    return {
      free: entries.filter(({ file }) => !conflicts.has(file)),
      taken: entries.filter(({ file }) => conflicts.has(file)),
    };
  }

  /**
   * Sends commands; gives the files whose version was another.
   *
   * @throws SolrRefused when Solr does not take a document for another reason, which is a fault of ours; SolrUnavailable
   *   when it cannot write
   */
  async #update(collection: Collection, body: string | Uint8Array): Promise<ReadonlySet<string>> {
    const errors = await new SolrCollection(this.#http, collection).updateTolerantly(body);
    const other = errors.find(({ message }) => !/version conflict for /.test(message));
    if (other !== undefined) {
      this.#http.noteFailure(other.message);
      const failed = mayBeBroken(other.message) ? SolrUnavailable : SolrRefused;
      throw new failed(`${other.id}: ${other.message}`);
    }
    return new Set(errors.map(({ id }) => id));
  }

  /** What stands under files, also what no commit has made visible yet. */
  async #read(
    collection: Collection,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<string, Present>> {
    const files = entries.map(({ file }) => file);
    const fields = ["file", "owner", "_version_"];
    const found = await new SolrCollection(this.#http, collection).get<GetDocument>(files, fields);
    return new Map(
      found.map(({ file, owner, _version_: version }) => [file, { owner, version }] as const),
    );
  }

  async #remove(clauses: readonly string[]): Promise<number> {
    // What a broken request has left counts as well.
    await this.#commit();
    const collections = ["latest", "files"] as const;
    const counts = await Promise.all(collections.map((name) => this.#count(name, clauses)));
    const most = Math.max(...counts);
    if (most === 0) return 0;
    const query = clauses.map((clause) => `+${clause}`).join(" ");
    // `files` last: as long as something is left to do, the claim stands.
    for (const name of collections) {
      await new SolrCollection(this.#http, name).deleteFound(query);
    }
    await this.#commit();
    return most;
  }

  async #count(collection: Collection, filters: readonly string[]): Promise<number> {
    const parameters = searchParameters({ collection, filters });
    parameters.set("rows", "0");
    const { text } = await new SolrCollection(this.#http, collection).select(parameters);
    return (JSON.parse(text) as { response: { numFound: number } }).response.numFound;
  }

  /**
   * Makes changes visible. They are in Solr's update log already, which a Solr that is killed reads at its next
   * start; its own commits bring them to disk within a minute.
   */
  async #commit(): Promise<void> {
    const commits = COLLECTIONS.map((name) => new SolrCollection(this.#http, name).commit(true));
    await Promise.all(commits);
  }
}

type Replacement = { readonly entry: Entry } & Present;

interface GetDocument {
  readonly file: string;
  readonly owner?: string;
  readonly _version_: string;
}

/** A document's JSON with a version, whose digits no JavaScript number has to hold. */
const versioned = ({ text }: Entry, version: string): string =>
  `{"_version_":${version},${text.slice(1)}`;

/** The body that inserts entries. */
const insertion = (entries: readonly Entry[]): Uint8Array =>
  Buffer.from(`[${entries.map((entry) => versioned(entry, NEW)).join(",")}]`);

/** The documents as they are sent, each file once: the first that names it counts. */
function* batches(owner: Owner, documents: readonly UserDocument[]): Generator<Batch> {
  const seen = new Set<string>();
  const now = new Date().toISOString();
  // One moment for both collections, which Solr would set for each.
  const common = { user: owner.user, owner: owner.id, added: now, updated: now };
  const whose = JSON.stringify(common).slice(1, -1);
  let entries: Entry[] = [];
  let size = 0;
  for (const document of documents) {
    const { file } = document;
    if (seen.has(file)) continue;
    seen.add(file);
    const text = `${JSON.stringify(document).slice(0, -1)},${whose}}`;
    entries.push({ file, text });
    size += text.length;
    if (entries.length < BATCH_DOCUMENTS && size < BATCH_CHARACTERS) continue;
    yield { entries, insert: insertion(entries) };
    entries = [];
    size = 0;
  }
  if (entries.length > 0) yield { entries, insert: insertion(entries) };
}
