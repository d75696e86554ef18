/**
 * User data in both collections. A document is added if its file has none yet, and only its owner can delete it.
 *
 * Solr has no transactions over two collections. A fixed order of writes replaces them. It is correct for any number of
 * instances, and after an interruption at any point. The field `_claim_` has the unique id of the write that wrote a
 * document. A file is registered when both collections have it from the same write. Only a deletion by its owner ends that.
 *
 * - Registration inserts a document into `files`, which claims the file, and then into `latest`. Then the claims in `files`
 *   are counted. If some are gone, their files are inspected again.
 * - A claim of the same owner may lack its document in `latest`: its writer was interrupted or is not ready yet. After a
 *   pause, another writer completes it by three writes, each conditional on the version seen: into `latest`, which stops
 *   other writers there; into `files`, which decides; and into `latest` the decided document. An interrupted registration
 *   is so completed with the new document. A writer that was only slow finds the other document and reports a duplicate.
 * - A deletion removes what its owner's writes have stored so far, first from `files`, so that a writer in progress finds
 *   its claim gone. Later writes have other ids and stay.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Added } from "../../domain/user-data/messages.js";
import type { Owner } from "../../domain/user-data/owner.js";
import type { UserDocument } from "../../domain/user-data/read-user-data.js";
import { batchesOf } from "../../platform/time-slices.js";
import { SolrUnavailable } from "../errors.js";
import {
  type Entry,
  NEW,
  type StoredFile,
  type UserCollection,
  type WriteId,
} from "./user-collection.js";

/** Documents and characters per request to Solr. A form-encoded character takes up to nine bytes, of 32 MB. */
const BATCH_DOCUMENTS = 2000;
const BATCH_CHARACTERS = 3 * 1024 * 1024;
/** Inspections of a file that others keep changing, before the request fails. */
const MAX_ATTEMPTS = 20;
/** Average milliseconds between two inspections. Most writers finish within that time. */
const RETRY_PAUSE_MS = 100;

/** Both collections, and their readiness. */
export interface UserCollections {
  readonly files: UserCollection;
  readonly latest: UserCollection;
  /** @throws SolrUnavailable while they do not show all acknowledged changes */
  ready(): Promise<void>;
}

/** The stored documents of a file in both collections. */
interface FileState {
  readonly files: StoredFile | undefined;
  readonly latest: StoredFile | undefined;
}

/** An entry with the state of its file, to compare two inspections. */
interface EntryState extends FileState {
  readonly entry: Entry;
}

export class UserDocuments {
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #collections: UserCollections;
  readonly #pause: () => Promise<void>;

  /** @param pause waits between two inspections, for a random time, so that two writers do not stay in step */
  constructor(on: UserCollections, pause = () => sleep(RETRY_PAUSE_MS * (0.5 + Math.random()))) {
    this.#collections = on;
    this.#pause = pause;
  }

  /**
   * Adds the documents whose files have none to both collections, and makes them visible.
   *
   * @throws SolrUnavailable, SolrTimeout, SolrRefused; the same call completes what was written until then
   */
  add(owner: Owner, documents: readonly UserDocument[]): Promise<Added> {
    return this.#inSequence(owner, () => this.#add(owner, documents));
  }

  /**
   * Deletes the owner's documents that match all clauses, and makes that visible.
   *
   * @param clauses in the syntax of the lucene parser; the first one selects the owner
   * @returns the number of deleted documents
   * @throws SolrUnavailable, SolrTimeout, SolrRefused, TooComplexSearch
   */
  remove(owner: Owner, clauses: readonly string[]): Promise<number> {
    return this.#inSequence(owner, () => this.#remove(owner, clauses));
  }

  /** Runs the changes of one owner one after the other, so that each can count its own documents. */
  async #inSequence<T>({ id }: Owner, change: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(id);
    const begin = async (): Promise<T> => {
      // Otherwise registered files would look free, and deleted documents would come back.
      await this.#collections.ready();
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
    const { files } = this.#collections;
    const writing = newWriteId();
    const through: Entry[] = [];
    let settled = 0;
    // While one batch goes into `latest`, the next goes into `files`.
    let behind: Promise<void> = Promise.resolve();
    try {
      for (const entries of batches(owner, documents)) {
        const insertion = { writing, documents: inserted(entries) };
        const taken = await files.write(insertion);
        await behind;
        behind = this.#complete(owner, insertion, taken).then((some) => {
          for (const entry of some.through) through.push(entry);
          settled += some.settled;
        });
        behind.catch(() => {});
      }
      await behind;
    } finally {
      await behind.catch(() => {});
    }
    await this.#commit();
    const lost = await this.#findLost(writing, through);
    for (const batch of batchesOf(lost, BATCH_DOCUMENTS)) {
      settled += await this.#settle(owner, batch, writing);
    }
    if (lost.length > 0) await this.#commit();
    const added = through.length - lost.length + settled;
    return { added, duplicates: documents.length - added };
  }

  /** Adds claimed documents to `latest`. @returns those that were added, and how many of the others were settled as ours */
  async #complete(
    owner: Owner,
    all: { readonly writing: WriteId; readonly documents: Insertions },
    taken: ReadonlySet<string>,
  ): Promise<{ readonly through: readonly Entry[]; readonly settled: number }> {
    const { latest } = this.#collections;
    const { writing } = all;
    const claimed = without(all.documents, taken);
    const blocked = await latest.write(taken.size === 0 ? all : { writing, documents: claimed });
    const through = without(claimed, blocked).map(({ entry }) => entry);
    const open = all.documents
      .map(({ entry }) => entry)
      .filter(({ file }) => taken.has(file) || blocked.has(file));
    return { through, settled: await this.#settle(owner, open, writing) };
  }

  /** The entries of a write that one of the collections has lost. Usually two counts show that there are none. */
  async #findLost(writing: WriteId, entries: readonly Entry[]): Promise<Entry[]> {
    if (entries.length === 0) return [];
    const { files, latest } = this.#collections;
    const counts = await Promise.all([
      files.countStanding(writing),
      latest.mayLose ? latest.countStanding(writing) : entries.length,
    ]);
    if (counts.every((count) => count === entries.length)) return [];
    const lost: Entry[] = [];
    for (const batch of batchesOf(entries, BATCH_DOCUMENTS)) {
      const seen = await this.#inspect(batch);
      for (const { entry, ...state } of seen) {
        const isWhole = isWrittenBy(state.files, writing) && isWrittenBy(state.latest, writing);
        if (!isWhole) lost.push(entry);
      }
    }
    return lost;
  }

  /** Inspects contended files until each is registered. @returns how many of them are ours */
  async #settle(owner: Owner, entries: readonly Entry[], first: WriteId): Promise<number> {
    const mine = new Set(namesOfWrite(first));
    let added = 0;
    let open: readonly EntryState[] = [];
    let rest = entries;
    for (let attempts = 0; rest.length > 0; attempts += 1) {
      if (attempts === MAX_ATTEMPTS)
        throw new SolrUnavailable("documents of the same files keep changing");
      const before = new Map(open.map((seen) => [seen.entry.file, seen]));
      open = await this.#inspect(rest);
      const { done, foreign, stray, free, ours } = classify(owner, open);
      added += done.filter(({ files }) => mine.has(files?.claim ?? "")).length;
      const stays = (seen: EntryState): boolean => isSame(seen, before.get(seen.entry.file));
      // The document of another owner may be about to be deleted.
      await this.#removeUnchanged("files", foreign.filter(stays));
      await this.#removeUnchanged("latest", stray);
      const due = ours.filter(
        (seen) => (mine.has(seen.files?.claim ?? "") && seen.latest === undefined) || stays(seen),
      );
      const claim = newWriteId();
      for (const name of namesOfWrite(claim)) mine.add(name);
      const inserts = free.map(({ entry }) => ({ entry, version: NEW }));
      const taken = await this.#collections.files.write({ writing: claim, documents: inserts });
      const wrote = (await this.#completeClaims(due, mine)) || taken.size < free.length;
      const waiting = foreign.filter((seen) => !stays(seen));
      rest = [...free, ...ours, ...waiting].map(({ entry }) => entry);
      if (rest.length > 0 && !wrote) await this.#pause();
    }
    return added;
  }

  async #inspect(entries: readonly Entry[]): Promise<EntryState[]> {
    const names = entries.map(({ file }) => file);
    // `latest` first: a write that is there and is not in `files` afterwards has lost the file for good.
    const latest = await this.#collections.latest.read(names);
    const files = await this.#collections.files.read(names);
    return entries.map((entry) => ({
      entry,
      files: files.get(entry.file),
      latest: latest.get(entry.file),
    }));
  }

  /** Deletes documents from a collection unless they have changed since the inspection. */
  async #removeUnchanged(name: "files" | "latest", seen: readonly EntryState[]): Promise<void> {
    await this.#collections[name].remove(
      seen.flatMap(({ entry: { file }, ...state }) => {
        const version = state[name]?.version;
        return version === undefined ? [] : [{ file, version }];
      }),
    );
  }

  /** Completes claims that lack a document. The next inspection shows the result. @returns whether there were any */
  async #completeClaims(seen: readonly EntryState[], mine: Set<string>): Promise<boolean> {
    if (seen.length === 0) return false;
    const { files, latest } = this.#collections;
    const [stop, decision] = [newWriteId(), newWriteId()];
    await latest.write({
      writing: stop,
      documents: seen.map((one) => ({ entry: one.entry, version: one.latest?.version ?? NEW })),
    });
    const stopped = await latest.read(seen.map(({ entry }) => entry.file));
    const held = seen.flatMap(({ entry, files: claim }) => {
      const now = stopped.get(entry.file);
      return now !== undefined && claim !== undefined && isWrittenBy(now, stop)
        ? [{ entry, claim: claim.version, version: now.version }]
        : [];
    });
    for (const name of namesOfWrite(decision)) mine.add(name);
    const late = await files.write({
      writing: decision,
      documents: held.map(({ entry, claim }) => ({ entry, version: claim })),
    });
    await latest.write({ writing: decision, documents: without(held, late) });
    return true;
  }

  async #remove(owner: Owner, clauses: readonly string[]): Promise<number> {
    const { files, latest } = this.#collections;
    // Documents of interrupted requests must be counted too.
    await this.#commit();
    const [inFiles, inLatest] = await Promise.all([files.count(clauses), latest.count(clauses)]);
    const max = Math.max(sum(inFiles.values()), sum(inLatest.values()));
    if (max === 0) return 0;
    const claims = [...new Set([...inFiles.keys(), ...inLatest.keys()])];
    // Some of these have only one document, or a second one that does not match the clauses.
    const odd = claims.filter((claim) => inFiles.get(claim) !== inLatest.get(claim));
    const halves =
      odd.length === 0
        ? []
        : await Promise.all([files.list(clauses, odd, max), latest.list(clauses, odd, max)]);
    await files.removeFound(clauses, claims);
    await latest.removeFound(clauses, claims);
    const doubtful = [...new Set(halves.flat())];
    for (const batch of batchesOf(doubtful, BATCH_DOCUMENTS)) {
      await this.#removeHalves(owner, batch);
    }
    await this.#commit();
    return max;
  }

  /** Deletes single documents that are left of files, unless the files were registered meanwhile. */
  async #removeHalves(owner: Owner, names: readonly string[]): Promise<void> {
    const entries = names.map((file) => ({ file, text: "" }));
    const halves = classify(owner, await this.#inspect(entries));
    await this.#removeUnchanged("files", halves.ours);
    await this.#removeUnchanged("latest", halves.ours);
    // Some may have been completed between the inspection and the deletion of their claims.
    const { orphans, stray } = classify(owner, await this.#inspect(entries));
    await this.#removeUnchanged("latest", [...orphans, ...stray]);
  }

  async #commit(): Promise<void> {
    await Promise.all([this.#collections.files.commit(), this.#collections.latest.commit()]);
  }
}

type Insertions = readonly { readonly entry: Entry; readonly version: string }[];

const inserted = (entries: readonly Entry[]): Insertions =>
  entries.map((entry) => ({ entry, version: NEW }));

const without = <T extends { readonly entry: Entry }>(
  all: readonly T[],
  files: ReadonlySet<string>,
): readonly T[] => (files.size === 0 ? all : all.filter(({ entry }) => !files.has(entry.file)));

const isSame = (one: FileState, other: FileState | undefined): boolean =>
  other !== undefined &&
  one.files?.version === other.files?.version &&
  one.latest?.version === other.latest?.version;

/** Sorts files by the action they need. Files of other owners are left out. */
function classify(owner: Owner, seen: readonly EntryState[]) {
  const kinds = {
    /** Registered. */
    done: [] as EntryState[],
    /** Ours in `files` and another owner's in `latest`. */
    foreign: [] as EntryState[],
    /** Ours in `latest` and another owner's in `files`, claimed after a deletion. */
    stray: [] as EntryState[],
    /** Without a claim. */
    free: [] as EntryState[],
    /** Ours in `files`, with no document or that of another write in `latest`. */
    ours: [] as EntryState[],
    /** Ours in `latest` only. Also in `free`. */
    orphans: [] as EntryState[],
  };
  for (const one of seen) {
    const { files, latest } = one;
    if (files === undefined) {
      kinds.free.push(one);
      if (latest?.owner === owner.id) kinds.orphans.push(one);
    } else if (files.owner !== owner.id) {
      if (latest?.owner === owner.id) kinds.stray.push(one);
    } else if (latest === undefined) kinds.ours.push(one);
    else if (latest.owner !== owner.id) kinds.foreign.push(one);
    else if (latest.claim === files.claim) kinds.done.push(one);
    else kinds.ours.push(one);
  }
  return kinds;
}

let last = 0;
function newWriteId(): WriteId {
  last = Math.max(Date.now(), last + 1);
  return { claim: randomBytes(12).toString("hex"), moment: new Date(last).toISOString() };
}

/** The values that identify a write in a document. Collections without `_claim_` have only its time. */
const namesOfWrite = ({ claim, moment }: WriteId): readonly string[] => [claim, moment];

const isWrittenBy = (present: StoredFile | undefined, writing: WriteId): boolean =>
  present?.claim !== undefined && namesOfWrite(writing).includes(present.claim);

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
};

/** The documents in batches. Of several with the same file, only the first is used. */
function* batches(owner: Owner, documents: readonly UserDocument[]): Generator<Entry[]> {
  const seen = new Set<string>();
  const ownerFields = JSON.stringify({ user: owner.user, owner: owner.id }).slice(1, -1);
  let entries: Entry[] = [];
  let size = 0;
  for (const document of documents) {
    const { file } = document;
    if (seen.has(file)) continue;
    seen.add(file);
    const text = `${JSON.stringify(document).slice(0, -1)},${ownerFields}}`;
    entries.push({ file, text });
    size += text.length;
    if (entries.length < BATCH_DOCUMENTS && size < BATCH_CHARACTERS) continue;
    yield entries;
    entries = [];
    size = 0;
  }
  if (entries.length > 0) yield entries;
}
