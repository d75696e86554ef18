/**
 * User data. A document is added if its file has none yet, and only its owner can delete it.
 *
 * Correct for any number of instances, and after an interruption at any point, because Solr decides each document by its
 * version:
 *
 * - A registration inserts documents that must not exist. Of several writers of a file, one succeeds. `_claim_` has the id of
 *   the write, so that a writer recognises its own documents when a request had to be sent twice.
 * - A deletion reads identifiers and versions, and deletes the documents that still have them. A document that was registered
 *   anew has another version and stays. A deletion by query could be replayed by a recovering replica, and delete it.
 *
 * SolrCloud may lose an acknowledged write if a node dies (`mayLose`), so each write is then read back before it is reported.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Added } from "../../domain/user-data/messages.js";
import type { Owner } from "../../domain/user-data/owner.js";
import type { UserDocument } from "../../domain/user-data/read-user-data.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { SolrUnavailable } from "../errors.js";
import type { NewDocument, StoredFile, UserCollection, WriteId } from "./user-collection.js";

/** Documents and characters per request to Solr. A form-encoded character takes up to nine bytes, of 32 MB. */
const BATCH_DOCUMENTS = 2000;
const BATCH_CHARACTERS = 3 * 1024 * 1024;
/** Attempts to write or delete documents, before the request fails. */
const MAX_ATTEMPTS = 20;
/** Average milliseconds between two attempts. */
const RETRY_PAUSE_MS = 100;

export class UserDocuments {
  readonly #index: UserCollection;
  readonly #pause: () => Promise<void>;

  /** @param pause waits between two attempts, for a random time, so that two writers do not stay in step */
  constructor(index: UserCollection, pause = () => sleep(RETRY_PAUSE_MS * (0.5 + Math.random()))) {
    this.#index = index;
    this.#pause = pause;
  }

  /** Adds the documents whose files have none, and makes them visible. After an error, the same call adds the rest. */
  async add(owner: Owner, documents: readonly UserDocument[]): Promise<Added> {
    await this.#index.ready();
    const writing = newWriteId();
    const mine: NewDocument[] = [];
    for (const additions of batches(owner, documents)) {
      for (const one of await this.#insert(writing, additions)) mine.push(one);
    }
    await this.#index.commit();
    const added = await this.#countStored(writing, mine);
    return { added, duplicates: documents.length - added };
  }

  /** @returns the additions whose documents are of this write */
  async #insert(
    writing: WriteId,
    additions: readonly NewDocument[],
  ): Promise<readonly NewDocument[]> {
    const taken = await this.#index.insert(writing, additions);
    if (taken.size === 0) return additions;
    // A request that was sent twice finds its own documents.
    const stored = await this.#index.read([...taken]);
    return additions.filter(
      ({ file }) => !taken.has(file) || stored.get(file)?.claim === writing.claim,
    );
  }

  /** Counts the documents of a write, and writes those again that Solr has lost. */
  async #countStored(writing: WriteId, additions: readonly NewDocument[]): Promise<number> {
    if (!this.#index.mayLose) return additions.length;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      // Usually one count shows that none are lost.
      if ((await this.#index.countStanding(writing)) === additions.length) return additions.length;
      let mine = 0;
      const lost: NewDocument[] = [];
      for (const batch of batchesOf(additions, BATCH_DOCUMENTS)) {
        const stored = await this.#index.read(batch.map(({ file }) => file));
        for (const one of batch) {
          const found = stored.get(one.file);
          if (found === undefined) lost.push(one);
          else if (found.claim === writing.claim) mine += 1;
        }
      }
      if (lost.length === 0) return mine;
      for (const batch of batchesOf(lost, BATCH_DOCUMENTS)) await this.#insert(writing, batch);
      await this.#index.commit();
      await this.#pause();
    }
    throw new SolrUnavailable("registered documents are not found");
  }

  /**
   * Deletes the owner's documents that match all clauses, and makes that visible.
   *
   * @param clauses in the syntax of the lucene parser; the first one selects the owner
   * @returns the number of deleted documents
   */
  async remove(clauses: readonly string[]): Promise<number> {
    await this.#index.ready();
    // Documents of interrupted requests must be deleted too.
    await this.#index.commit();
    let removed = 0;
    for (let from: string | undefined, isLast = false; !isLast; ) {
      const { found, next } = await this.#index.list(clauses, BATCH_DOCUMENTS, from);
      isLast = next === from || found.length === 0;
      removed += await this.#delete(found);
      from = next;
    }
    if (removed > 0) await this.#index.commit();
    return removed;
  }

  /** Deletes documents. @returns how many of them nobody had registered anew */
  async #delete(found: readonly StoredFile[]): Promise<number> {
    const claims = new Map(found.map(({ file, claim }) => [file, claim]));
    let left = found;
    for (let attempts = 0; left.length > 0; attempts += 1) {
      if (attempts === MAX_ATTEMPTS) throw new SolrUnavailable("deleted documents are still there");
      if (attempts > 1) await this.#pause();
      const changed = await this.#index.remove(left);
      const doubtful = this.#index.mayLose ? left : left.filter(({ file }) => changed.has(file));
      const stored = await this.#index.read(doubtful.map(({ file }) => file));
      // The same registration may have got another version, such as by an upgrade.
      left = [...stored.values()].filter(({ file, claim }) => claim === claims.get(file));
      for (const { file, claim } of stored.values()) {
        if (claim !== claims.get(file)) claims.delete(file);
      }
    }
    return claims.size;
  }
}

let last = 0;
function newWriteId(): WriteId {
  last = Math.max(Date.now(), last + 1);
  return { claim: randomBytes(12).toString("hex"), time: new Date(last).toISOString() };
}

/** The documents in batches. Of several with the same file, only the first is used. */
function* batches(owner: Owner, documents: readonly UserDocument[]): Generator<NewDocument[]> {
  const seen = new Set<string>();
  const ownerFields = JSON.stringify({ user: owner.user, owner: owner.id }).slice(1, -1);
  let additions: NewDocument[] = [];
  let size = 0;
  for (const document of documents) {
    const { file } = document;
    if (seen.has(file)) continue;
    seen.add(file);
    const text = `${JSON.stringify(document).slice(0, -1)},${ownerFields}}`;
    additions.push({ file, text });
    size += text.length;
    if (additions.length < BATCH_DOCUMENTS && size < BATCH_CHARACTERS) continue;
    yield additions;
    additions = [];
    size = 0;
  }
  if (additions.length > 0) yield additions;
}
