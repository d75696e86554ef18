/** Decides the marks of the documents of a load, so that default searches find one version of each dataset at any moment. */
import { groupBy } from "../../platform/group-by.js";
import { hash } from "../../platform/hashed-texts.js";
import { FILES } from "../collections/configset.js";
import type { SolrHttp } from "../transport/http.js";
import type { LoadEntry } from "./load-entry.js";
import { makeVisible } from "./lookups.js";
import { datasetStates, foundVersions, isSettled } from "./marks/dataset-states.js";
import { hideVersions, type OnMarked, settleDatasets } from "./marks/settle.js";
import { type Mark, NEWEST, OLDER } from "./marks/write-marks.js";
import type { Leaving } from "./remove-files.js";
import { datasetOf } from "./version.js";

/** Datasets that are remembered; bounds memory. */
const MAX_REMEMBERED = 5_000_000;

/** Versions that are hidden until the end of the load, the newest last. */
interface Hidden {
  /** The document that hides them. */
  readonly holder: string;
  readonly versions: readonly string[];
}

/** Documents of a batch that are in the index in another version. */
export interface Moving extends Leaving {
  /** The versions that they leave, by file. */
  readonly files: ReadonlyMap<string, string>;
}
export const NOTHING_MOVES: Moving = { files: new Map(), ended: new Set(), alone: new Set() };

export class DatasetMarks {
  readonly #http: SolrHttp;
  #isAlone: boolean;
  /** The version that searches find, by the hash of its dataset; null if there is none. */
  readonly #found = new Map<number, string | null>();
  /** By dataset. */
  readonly #hidden = new Map<string, Hidden>();
  /** Datasets with versions that have ended: what was sent after them may be newer or older than what is found. */
  readonly #unsure = new Set<string>();

  readonly #onMarked: OnMarked;

  /** @param onMarked receives documents whose marks change, other than those that are sent */
  constructor(http: SolrHttp, isAlone: boolean, onMarked: OnMarked) {
    this.#http = http;
    this.#isAlone = isAlone;
    this.#onMarked = onMarked;
  }

  /**
   * The marks with which the documents of a batch are to be sent. Newer versions than the found one are hidden before.
   */
  async of(batch: readonly LoadEntry[], moving: Moving): Promise<ReadonlyMap<LoadEntry, Mark>> {
    const sent = groupBy(
      batch.flatMap(({ of }) => of ?? []),
      ({ dataset }) => dataset,
    );
    await this.#remember([...sent.keys()], moving.ended);
    const hides = new Map<string, readonly string[]>();
    const replaced = new Map<string, string>();
    for (const [dataset, all] of sent) {
      const versions = new Set(all.map(({ version }) => version));
      const found = this.#foundIn(dataset);
      if (found === null || moving.ended.has(found)) {
        const newest = newestOf(versions);
        // Another file of the batch may keep the version, which must not hide itself then.
        if (found !== null && found !== newest) replaced.set(dataset, found);
        this.#setFound(dataset, newest);
      } else {
        const before = this.#hidden.get(dataset)?.versions ?? [];
        const newer = [...versions].filter((one) => one > found && !before.includes(one));
        if (newer.length > 0) hides.set(found, [...before, ...newer].sort());
      }
    }
    if (hides.size > 0) await this.#hide(hides, [...moving.files.keys()]);
    return new Map(batch.map((entry) => [entry, this.#markOf(entry, replaced)]));
  }

  /** @param hides versions by the found one of their dataset. @param except documents that cannot hide others */
  async #hide(
    hides: ReadonlyMap<string, readonly string[]>,
    except: readonly string[],
  ): Promise<void> {
    await makeVisible(this.#http);
    const known = new Map(
      [...hides.keys()].map((found) => [found, this.#hidden.get(datasetOf(found))?.holder]),
    );
    const holders = await hideVersions(this.#http, hides, known, except);
    for (const [found, versions] of hides) {
      const dataset = datasetOf(found);
      const holder = holders.get(found);
      if (holder !== undefined) this.#hidden.set(dataset, { holder, versions });
      // Nothing of the version is there any more.
      else this.#setFound(dataset, newestOf(versions));
    }
  }

  /** @param replaced by dataset, versions that end with this batch */
  #markOf({ of, file }: LoadEntry, replaced: ReadonlyMap<string, string>): Mark {
    if (of === undefined) return NEWEST;
    const hidden = this.#hidden.get(of.dataset);
    if (hidden?.holder === file) return { latest: true, replaces: hidden.versions };
    const isFound = of.version === this.#foundIn(of.dataset);
    const former = replaced.get(of.dataset);
    // A document of the former version is there until its successor is stored, and stays if Solr refuses that.
    if (isFound && former !== undefined) return { latest: true, replaces: [former] };
    return isFound || of.version === hidden?.versions.at(-1) ? NEWEST : OLDER;
  }

  /** Whether the index has nothing but what this load has sent. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  #foundIn(dataset: string): string | null {
    return this.#found.get(hash(dataset)) ?? null;
  }

  #setFound(dataset: string, version: string | null): void {
    this.#found.set(hash(dataset), version);
  }

  /** Reads the found versions of datasets that this load meets for the first time. */
  async #remember(datasets: readonly string[], ended: ReadonlySet<string>): Promise<void> {
    if (this.#found.size > MAX_REMEMBERED) await this.forget();
    const unknown = this.#isAlone ? [] : datasets.filter((one) => !this.#found.has(hash(one)));
    if (unknown.length > 0) await this.#read(unknown, ended);
    if (ended.size > 0) for (const dataset of datasets) this.#unsure.add(dataset);
  }

  async #read(datasets: readonly string[], ended: ReadonlySet<string>): Promise<void> {
    let states = await datasetStates(this.#http, FILES, datasets);
    const odd = [...states].flatMap(([dataset, state]) => (isSettled(state) ? [] : [dataset]));
    if (odd.length > 0) {
      await settleDatasets(this.#http, odd, { without: ended, onMarked: this.#onMarked });
      states = await datasetStates(this.#http, FILES, datasets);
    }
    for (const dataset of datasets) {
      const state = states.get(dataset);
      this.#setFound(dataset, (state && foundVersions(state).at(-1)?.version) ?? null);
    }
  }

  /** Looks again at the datasets of documents that Solr has refused: what was to be their found version may not be there. */
  async refused(entries: readonly LoadEntry[]): Promise<void> {
    const datasets = new Set(entries.flatMap(({ of }) => of?.dataset ?? []));
    const open = [...datasets].filter((one) => !this.#hidden.has(one));
    if (open.length === 0) return;
    await makeVisible(this.#http);
    await this.#read(open, NOTHING_MOVES.ended);
  }

  /** Shows the versions that were hidden. What the load has sent must be visible. */
  async settle(): Promise<void> {
    const datasets = [...this.#hidden.keys(), ...this.#unsure];
    await settleDatasets(this.#http, datasets, { onMarked: this.#onMarked });
    this.#hidden.clear();
    this.#unsure.clear();
  }

  /** Shows the versions that were hidden, and reads anew what the index has. */
  async forget(): Promise<void> {
    await makeVisible(this.#http);
    await this.settle();
    this.#found.clear();
    this.#isAlone = false;
  }
}

/**
 * The documents of a batch that are sent when the others are stored: those that leave the found version of a dataset of which no
 * version stays. Solr may refuse the documents of the version that is to be found in its place.
 */
export function lateEntries(batch: readonly LoadEntry[], { files, alone }: Moving): LoadEntry[] {
  if (alone.size === 0) return [];
  const newest = new Map<string, string>();
  for (const { of } of batch) {
    if (of && of.version > (newest.get(of.dataset) ?? "")) newest.set(of.dataset, of.version);
  }
  return batch.filter(({ file, of }) => {
    const former = files.get(file);
    return (
      former !== undefined && alone.has(former) && of?.version !== newest.get(datasetOf(former))
    );
  });
}

const newestOf = (versions: Iterable<string>): string => [...versions].sort().at(-1) ?? "";
