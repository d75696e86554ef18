/**
 * User data in both collections: added where nobody has the file yet, deleted by its owner alone.
 *
 * Solr has no transactions over two collections, so an order of writing stands in for one; it holds for any number of
 * instances, broken off anywhere. Each document says in `_claim_` which writing wrote it, and no two writings share
 * a name. A file is registered when both collections have it from the same writing; nobody but its owner's deletion ends that.
 *
 * - To register, a document is first inserted into `files`, which is the claim to the file, then into `latest`; then it is
 *   counted in `files` whether all claims still stand there, and the files of those that do not are looked at again.
 * - Whoever finds a claim of the same owner without its other half, because its writer broke off or is not yet through,
 *   waits a moment and then takes it over, in three writings, each on the version that was seen: into `latest`, which
 *   stops whoever else is about to write there; into `files`, which decides; and into `latest` what is decided.
 *   So what was broken off is completed with what is said now, and whoever was only slow finds another's document
 *   and calls its own a duplicate.
 * - A deletion takes what its owner's writings have made until then, `files` first, so that who is about to write
 *   finds its claim gone; what is written later has another name and stays.
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
  type Present,
  type UserCollection,
  type Writing,
} from "./user-collection.js";

/** Documents and characters in one request to Solr; in a form a character may take nine bytes, of 32 MB. */
const BATCH_DOCUMENTS = 2000;
const BATCH_CHARACTERS = 3 * 1024 * 1024;
/** How often a file is looked at while others write it, before that is called a failure. */
const MAX_LOOKS = 20;
/** Milliseconds between two looks, on the average: within them most writers are through. */
const PAUSE = 100;

/** Both collections, and what else a change depends on. */
export interface UserCollections {
  readonly files: UserCollection;
  readonly latest: UserCollection;
  /** @throws SolrUnavailable while they do not show all that they have acknowledged */
  ready(): Promise<void>;
}

/** What stands under a file in both collections. */
interface Look {
  readonly files: Present | undefined;
  readonly latest: Present | undefined;
}

/** An entry as it was found, so that two looks can be compared. */
interface Seen extends Look {
  readonly entry: Entry;
}

export class UserDocuments {
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #on: UserCollections;
  readonly #pause: () => Promise<void>;

  /** @param pause between two looks, of another length each time, so that no two writers keep step */
  constructor(on: UserCollections, pause = () => sleep(PAUSE * (0.5 + Math.random()))) {
    this.#on = on;
    this.#pause = pause;
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
    return this.#oneByOne(owner, () => this.#remove(owner, clauses));
  }

  /** Changes of one owner happen one after the other, so that each can tell what it did itself. */
  async #oneByOne<T>({ id }: Owner, change: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(id);
    const begin = async (): Promise<T> => {
      // Else what is registered looks free, and what is to be deleted comes back.
      await this.#on.ready();
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
    const { files } = this.#on;
    const writing = newWriting();
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
    const lost = await this.#lost(writing, through);
    for (const batch of batchesOf(lost, BATCH_DOCUMENTS)) {
      settled += await this.#settle(owner, batch, writing);
    }
    if (lost.length > 0) await this.#commit();
    const added = through.length - lost.length + settled;
    return { added, duplicates: documents.length - added };
  }

  /** Adds what is claimed to `latest` as well; gives what went through, and how many others have become ours. */
  async #complete(
    owner: Owner,
    all: { readonly writing: Writing; readonly documents: Insertions },
    taken: ReadonlySet<string>,
  ): Promise<{ readonly through: readonly Entry[]; readonly settled: number }> {
    const { latest } = this.#on;
    const { writing } = all;
    const claimed = without(all.documents, taken);
    const blocked = await latest.write(taken.size === 0 ? all : { writing, documents: claimed });
    const through = without(claimed, blocked).map(({ entry }) => entry);
    const open = all.documents
      .map(({ entry }) => entry)
      .filter(({ file }) => taken.has(file) || blocked.has(file));
    return { through, settled: await this.#settle(owner, open, writing) };
  }

  /** Those of the entries that a writing has made in both collections which one has no more: mostly counting them is enough. */
  async #lost(writing: Writing, entries: readonly Entry[]): Promise<Entry[]> {
    if (entries.length === 0) return [];
    const { files, latest } = this.#on;
    const counts = await Promise.all([
      files.stands(writing),
      latest.mayLose ? latest.stands(writing) : entries.length,
    ]);
    if (counts.every((count) => count === entries.length)) return [];
    const lost: Entry[] = [];
    for (const batch of batchesOf(entries, BATCH_DOCUMENTS)) {
      const seen = await this.#look(batch);
      for (const { entry, ...look } of seen) {
        const isWhole = isBy(look.files, writing) && isBy(look.latest, writing);
        if (!isWhole) lost.push(entry);
      }
    }
    return lost;
  }

  /** Looks at files that others write, or have written, until each is somebody's; gives how many have become ours. */
  async #settle(owner: Owner, entries: readonly Entry[], first: Writing): Promise<number> {
    const mine = new Set(namesOf(first));
    let added = 0;
    let open: readonly Seen[] = [];
    let rest = entries;
    for (let looks = 0; rest.length > 0; looks += 1) {
      if (looks === MAX_LOOKS) throw new SolrUnavailable("documents come and go all the time");
      const before = new Map(open.map((seen) => [seen.entry.file, seen]));
      open = await this.#look(rest);
      const { done, foreign, stray, free, ours } = sorted(owner, open);
      added += done.filter(({ files }) => mine.has(files?.claim ?? "")).length;
      const stays = (seen: Seen): boolean => isSame(seen, before.get(seen.entry.file));
      // Somebody else's half may be about to go.
      await this.#drop("files", foreign.filter(stays));
      await this.#drop("latest", stray);
      const due = ours.filter(
        (seen) => (mine.has(seen.files?.claim ?? "") && seen.latest === undefined) || stays(seen),
      );
      const claim = newWriting();
      for (const name of namesOf(claim)) mine.add(name);
      const inserts = free.map(({ entry }) => ({ entry, version: NEW }));
      const taken = await this.#on.files.write({ writing: claim, documents: inserts });
      const wrote = (await this.#takeOver(due, mine)) || taken.size < free.length;
      const waiting = foreign.filter((seen) => !stays(seen));
      rest = [...free, ...ours, ...waiting].map(({ entry }) => entry);
      if (rest.length > 0 && !wrote) await this.#pause();
    }
    return added;
  }

  async #look(entries: readonly Entry[]): Promise<Seen[]> {
    const names = entries.map(({ file }) => file);
    // First `latest`: a writing that stands there and is not in `files` afterwards has lost the file for ever.
    const latest = await this.#on.latest.read(names);
    const files = await this.#on.files.read(names);
    return entries.map((entry) => ({
      entry,
      files: files.get(entry.file),
      latest: latest.get(entry.file),
    }));
  }

  /** Deletes what was seen in a collection, unless it has changed since. */
  async #drop(name: "files" | "latest", seen: readonly Seen[]): Promise<void> {
    await this.#on[name].remove(
      seen.flatMap(({ entry: { file }, ...look }) => {
        const version = look[name]?.version;
        return version === undefined ? [] : [{ file, version }];
      }),
    );
  }

  /** Makes halves of claims whole; says whether it has tried. The next look tells which are. */
  async #takeOver(seen: readonly Seen[], mine: Set<string>): Promise<boolean> {
    if (seen.length === 0) return false;
    const { files, latest } = this.#on;
    const [stop, decision] = [newWriting(), newWriting()];
    await latest.write({
      writing: stop,
      documents: seen.map((one) => ({ entry: one.entry, version: one.latest?.version ?? NEW })),
    });
    const stopped = await latest.read(seen.map(({ entry }) => entry.file));
    const held = seen.flatMap(({ entry, files: claim }) => {
      const now = stopped.get(entry.file);
      return now !== undefined && claim !== undefined && isBy(now, stop)
        ? [{ entry, claim: claim.version, version: now.version }]
        : [];
    });
    for (const name of namesOf(decision)) mine.add(name);
    const late = await files.write({
      writing: decision,
      documents: held.map(({ entry, claim }) => ({ entry, version: claim })),
    });
    await latest.write({ writing: decision, documents: without(held, late) });
    return true;
  }

  async #remove(owner: Owner, clauses: readonly string[]): Promise<number> {
    const { files, latest } = this.#on;
    // What a broken request has left counts as well.
    await this.#commit();
    const [inFiles, inLatest] = await Promise.all([files.count(clauses), latest.count(clauses)]);
    const most = Math.max(sum(inFiles.values()), sum(inLatest.values()));
    if (most === 0) return 0;
    const claims = [...new Set([...inFiles.keys(), ...inLatest.keys()])];
    // Of these some have one half only, or another half for which the clauses need not hold.
    const odd = claims.filter((claim) => inFiles.get(claim) !== inLatest.get(claim));
    const halves =
      odd.length === 0
        ? []
        : await Promise.all([files.list(clauses, odd, most), latest.list(clauses, odd, most)]);
    await files.removeFound(clauses, claims);
    await latest.removeFound(clauses, claims);
    const doubtful = [...new Set(halves.flat())];
    for (const batch of batchesOf(doubtful, BATCH_DOCUMENTS)) {
      await this.#clear(owner, batch);
    }
    await this.#commit();
    return most;
  }

  /** Deletes what is left of files, but for those that were registered meanwhile. */
  async #clear(owner: Owner, names: readonly string[]): Promise<void> {
    const entries = names.map((file) => ({ file, text: "" }));
    const halves = sorted(owner, await this.#look(entries));
    await this.#drop("files", halves.ours);
    await this.#drop("latest", halves.ours);
    // Some may have become whole between the look and the deletion of their claims.
    const { orphans, stray } = sorted(owner, await this.#look(entries));
    await this.#drop("latest", [...orphans, ...stray]);
  }

  async #commit(): Promise<void> {
    await Promise.all([this.#on.files.commit(), this.#on.latest.commit()]);
  }
}

type Insertions = readonly { readonly entry: Entry; readonly version: string }[];

const inserted = (entries: readonly Entry[]): Insertions =>
  entries.map((entry) => ({ entry, version: NEW }));

const without = <T extends { readonly entry: Entry }>(
  all: readonly T[],
  files: ReadonlySet<string>,
): readonly T[] => (files.size === 0 ? all : all.filter(({ entry }) => !files.has(entry.file)));

const isSame = (one: Look, other: Look | undefined): boolean =>
  other !== undefined &&
  one.files?.version === other.files?.version &&
  one.latest?.version === other.latest?.version;

/** Files by what is to be done about them; those of somebody else are nowhere. */
function sorted(owner: Owner, seen: readonly Seen[]) {
  const kinds = {
    /** Registered. */
    done: [] as Seen[],
    /** Ours in `files` and somebody else's in `latest`. */
    foreign: [] as Seen[],
    /** Ours in `latest` and somebody else's in `files`, who took it after a deletion. */
    stray: [] as Seen[],
    /** Nobody's. */
    free: [] as Seen[],
    /** Ours, with one half of which the other is missing or another. */
    ours: [] as Seen[],
    /** Ours in `latest` alone; also free. */
    orphans: [] as Seen[],
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
function newWriting(): Writing {
  last = Math.max(Date.now(), last + 1);
  return { claim: randomBytes(12).toString("hex"), moment: new Date(last).toISOString() };
}

/** By what documents of a writing are known: collections made before have its moment alone. */
const namesOf = ({ claim, moment }: Writing): readonly string[] => [claim, moment];

const isBy = (present: Present | undefined, writing: Writing): boolean =>
  present?.claim !== undefined && namesOf(writing).includes(present.claim);

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
};

/** The documents in portions, each file once: the first that names it counts. */
function* batches(owner: Owner, documents: readonly UserDocument[]): Generator<Entry[]> {
  const seen = new Set<string>();
  const whose = JSON.stringify({ user: owner.user, owner: owner.id }).slice(1, -1);
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
    yield entries;
    entries = [];
    size = 0;
  }
  if (entries.length > 0) yield entries;
}
