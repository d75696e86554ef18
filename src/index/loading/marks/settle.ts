/**
 * Marks the newest version of datasets, so that default searches find exactly it.
 *
 * Solr cannot change several documents in one step, and may show any state in between. So one document of the version that is found,
 * the holder, first hides all other versions (`_replaces_`), which default searches then leave out (`newest` in lucene.ts).
 * Behind it the newest version gets its marks. Then the holder hides all versions but the newest, its own among them: that one
 * write is the change that searches see. At last the others lose their marks, and the holder what it hides.
 */
import { batchesOf } from "../../../platform/concurrency/time-slices.js";
import { FILES } from "../../collections/configset.js";
import type { SolrHttp } from "../../transport/http.js";
import { makeVisible, portions, select, termsOf, valuesOf } from "../lookups.js";
import {
  type DatasetState,
  datasetStates,
  foundVersions,
  isSettled,
  newestVersion,
  PUBLIC,
} from "./dataset-states.js";
import { type Mark, NEWEST, OLDER, writeMarks } from "./write-marks.js";

/** Datasets that are settled together. */
const DATASETS = 2000;
/** Documents whose marks are written before the next commit. */
const FILES_AT_ONCE = 20_000;

/** Receives a document whose mark was written. */
export type OnMarked = (file: string, isLatest: boolean) => void;

export interface SettleOptions {
  readonly collection?: string;
  /** Versions that leave the index: the newest of the others is marked. */
  readonly without?: ReadonlySet<string>;
  readonly onMarked?: OnMarked;
}

/** Corrects the marks of all visible documents of the datasets. Can be repeated after an interruption. */
export async function settleDatasets(
  http: SolrHttp,
  datasets: Iterable<string>,
  options: SettleOptions = {},
): Promise<void> {
  for (const some of batchesOf([...new Set(datasets)], DATASETS)) {
    await new Settling(http, options).settle(some);
  }
}

/** A change of the marks of one dataset. */
interface Change {
  readonly newest: string;
  readonly others: readonly string[];
  /** The version that is found, if it is another one. */
  readonly found: string | undefined;
  /** Documents that hide versions. */
  readonly holders: readonly string[];
}

class Settling {
  readonly #http: SolrHttp;
  readonly #collection: string;
  readonly #without: ReadonlySet<string>;
  readonly #onMarked: OnMarked;

  constructor(http: SolrHttp, options: SettleOptions) {
    this.#http = http;
    this.#collection = options.collection ?? FILES;
    this.#without = options.without ?? new Set();
    this.#onMarked = options.onMarked ?? (() => {});
  }

  async settle(datasets: readonly string[]): Promise<void> {
    const states = await datasetStates(this.#http, this.#collection, datasets);
    const changes = [...states.values()].flatMap((state) => this.#changeOf(state) ?? []);
    if (changes.length === 0) return;
    const newest = changes.map((change) => change.newest);
    const moving = changes.filter(({ found }) => found !== undefined);
    const holders = await this.#holdersOf(moving);
    await this.#hideAllButFound(moving, holders);
    // A holder may be a document of the newest version, which it hides until the change.
    await this.#mark(newest, NEWEST, new Set(holders.keys()));
    // The change that searches see.
    await this.#write(holders, ({ others }) => ({ latest: true, replaces: others }));
    const last = new Set([...holders.keys(), ...changes.flatMap((change) => change.holders)]);
    const others = changes.flatMap((change) => change.others);
    await this.#mark(others, OLDER, last);
    await this.#release([...last], new Set(newest));
    await makeVisible(this.#http, this.#collection);
  }

  /** One for each dataset: between the writes of two, a search could find no version. */
  async #holdersOf(moving: readonly Change[]): Promise<ReadonlyMap<string, Change>> {
    const versions = moving.flatMap(({ found }) => found ?? []);
    const marked = await markedOf(this.#http, this.#collection, versions);
    const holders = new Map<string, Change>();
    for (const change of moving) {
      const holder = change.holders[0] ?? marked.get(change.found ?? "");
      if (holder !== undefined) holders.set(holder, change);
    }
    return holders;
  }

  async #hideAllButFound(
    moving: readonly Change[],
    holders: ReadonlyMap<string, Change>,
  ): Promise<void> {
    await this.#write(holders, ({ newest, others, found }) => ({
      latest: true,
      replaces: [newest, ...others.filter((one) => one !== found)],
    }));
    const second = moving.flatMap((change) => change.holders.slice(1));
    await writeMarks(this.#http, this.#collection, second, (document) => ({
      latest: document.latest === true,
      replaces: [],
    }));
  }

  /** The documents that hid versions get the marks of their own version. */
  async #release(files: readonly string[], newest: ReadonlySet<string>): Promise<void> {
    // Hidden documents lose their marks first, while they are still hidden.
    await writeMarks(this.#http, this.#collection, files, (document) => ({
      latest: newest.has(String(document._dataset_version_)),
      replaces: (document._replaces_ as readonly string[] | undefined) ?? [],
    }));
    await writeMarks(this.#http, this.#collection, files, (document) => {
      const mark = this.#lastMarkOf(String(document._dataset_version_), newest);
      this.#onMarked(document.file, mark.latest);
      return mark;
    });
  }

  #lastMarkOf(version: string, newest: ReadonlySet<string>): Mark {
    if (newest.has(version)) return NEWEST;
    // A document of a leaving version keeps hiding that version. If the version stays after all, the next load finds its dataset.
    return this.#without.has(version) ? { latest: false, replaces: [version] } : OLDER;
  }

  #changeOf(state: DatasetState): Change | undefined {
    const newest = newestVersion(state, this.#without)?.version;
    if (newest === undefined || (this.#without.size === 0 && isSettled(state))) return undefined;
    const found = foundVersions(state).at(-1)?.version;
    return {
      newest,
      others: state.versions.map(({ version }) => version).filter((one) => one !== newest),
      found: found === newest ? undefined : found,
      holders: state.holders.map(({ file }) => file),
    };
  }

  #write(holders: ReadonlyMap<string, Change>, markOf: (change: Change) => Mark): Promise<void> {
    return writeMarks(this.#http, this.#collection, holders.keys(), ({ file }) => {
      const change = holders.get(file);
      return change && markOf(change);
    });
  }

  /** Gives all documents of versions a mark, except some. */
  async #mark(versions: readonly string[], mark: Mark, except = new Set<string>()): Promise<void> {
    const clause = `+latest:${!mark.latest} +${PUBLIC}`;
    for (const some of portions(versions)) {
      for (let files: readonly string[] = [], before = ""; ; before = files.join("\n")) {
        const rows = FILES_AT_ONCE + except.size;
        const parameters = new URLSearchParams({
          q: termsOf("_dataset_version_"),
          fl: "file",
          fq: `{!cache=false}${clause}`,
          rows: String(rows),
          ...valuesOf(some),
        });
        const { docs } = await select(this.#http, this.#collection, parameters);
        files = docs.map(({ file }) => file);
        const open = files.filter((file) => !except.has(file));
        if (open.length === 0 || files.join("\n") === before) break;
        await writeMarks(this.#http, this.#collection, open, () => mark);
        for (const file of open) this.#onMarked(file, mark.latest);
        if (files.length < rows) break;
        await makeVisible(this.#http, this.#collection);
      }
    }
  }
}

/** A marked document of each version, other than some. */
async function markedOf(
  http: SolrHttp,
  collection: string,
  versions: readonly string[],
  except: readonly string[] = [],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  // One by one: over several shards, Solr groups and collapses only by stored keys.
  for (const version of versions) {
    const parameters = new URLSearchParams({
      q: termsOf("_dataset_version_"),
      fl: "file",
      rows: "1",
      ...valuesOf([version]),
      fq: `{!cache=false}+latest:true +${PUBLIC}`,
      except: valuesOf(except).values,
    });
    if (except.length > 0) parameters.append("fq", `{!cache=false}-${termsOf("file", "except")}`);
    const [document] = (await select(http, collection, parameters)).docs;
    if (document !== undefined) found.set(version, document.file);
  }
  return found;
}

/**
 * Hides versions that are about to be written, until their datasets are settled.
 *
 * @param hides newer versions, by the version that is found
 * @param known documents that hide others already, by their version
 * @param except documents that are about to leave their version
 * @returns the documents that hide them, by their version; none for a version that has no documents
 */
export async function hideVersions(
  http: SolrHttp,
  hides: ReadonlyMap<string, readonly string[]>,
  known: ReadonlyMap<string, string | undefined>,
  except: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const open = [...hides.keys()].filter((version) => known.get(version) === undefined);
  const holders = await markedOf(http, FILES, open, except);
  for (const [version, file] of known) if (file !== undefined) holders.set(version, file);
  const replaces = new Map<string, readonly string[]>();
  for (const [version, file] of holders) replaces.set(file, hides.get(version) ?? []);
  await writeMarks(http, FILES, replaces.keys(), ({ file }) => ({
    latest: true,
    replaces: replaces.get(file) ?? [],
  }));
  return holders;
}
