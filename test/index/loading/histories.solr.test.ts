/**
 * Random histories of versions against an oracle: added, corrected, removed, added again, refused, killed at any request.
 * Somebody commits and searches all the while, so that what Solr shows between two writes is seen too.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { buildSearch } from "../../../src/domain/search/search.js";
import { FLAVOURS } from "../../../src/domain/vocabulary/flavours.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import { makeVisible } from "../../../src/index/loading/lookups.js";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import type { Solr } from "../../../src/index/solr.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import {
  DyingHttp,
  emptyIndex,
  load,
  type TestDocument,
  testClient,
} from "../../support/service/service.js";

const HISTORIES = attempts(8, 1000);
const CHANGES = 5;
const DATASETS = 3;
const FOLDERS = ["v1", "2", "v10", "v20180101", "20190101", "v20200101"];
/** A dataset that has its name from a standard. */
const STANDARD = {
  project: "CMIP5",
  product: "output1",
  institute: "I",
  model: "m0",
  experiment: "rcp85",
  time_frequency: "mon",
  realm: "atmos",
  cmor_table: "Amon",
  ensemble: "r1i1p1",
};
/** The years of a dataset's files: each version may cut them otherwise. */
const CUTS = ["1850-2014", "1850-1949", "1950-2014"];

const solr = testClient();
beforeAll(() => emptyIndex(solr));

const searchOf = (isMultiVersion: boolean) =>
  buildSearch({
    path: { flavour: FLAVOURS.native, uniq_key: "file" },
    query: {
      "multi-version": isMultiVersion,
      translate: true,
      filters: {},
      time_select: "flexible",
      bbox_select: "flexible",
    },
  });

async function listed(isMultiVersion: boolean): Promise<string[]> {
  const files: string[] = [];
  const options = { fields: ["file"], start: 0 };
  for await (const batch of await solr.export(searchOf(isMultiVersion), options)) {
    for (const { file } of batch) files.push(String(file));
  }
  return files.sort();
}

/** Of each dataset, the version of a document that the rule of the specification makes the newest, written anew here. */
function rankOf(one: TestDocument): readonly [kind: number, number: number] {
  const folder = /\/(v?\d+)\/[^/]*$/.exec(one.file)?.[1] ?? "";
  const digits = String(one.version ?? folder).replace("v", "");
  return [digits.length === 8 ? 1 : 0, Number(digits)];
}

const isPublic = ({ user }: TestDocument): boolean => user === undefined;
const datasetIn = (one: TestDocument): string =>
  one.model === undefined ? one.file.split("/").slice(0, 3).join("/") : String(one.model);

/** The newest version of each dataset. */
function newest(stored: ReadonlyMap<string, TestDocument>): ReadonlyMap<string, string> {
  const best = new Map<string, readonly [number, number]>();
  for (const one of [...stored.values()].filter(isPublic)) {
    const [kind, number] = rankOf(one);
    const other = best.get(datasetIn(one));
    if (other === undefined || other[0] < kind || (other[0] === kind && other[1] < number))
      best.set(datasetIn(one), [kind, number]);
  }
  return new Map([...best].map(([dataset, rank]) => [dataset, String(rank)]));
}

/** Commits and searches until it is stopped. Keeps files that were missing or found twice. */
class Watcher {
  readonly wrong: string[] = [];
  looks = 0;
  /** Datasets that are in the index before and after the change that is under way. */
  datasets: ReadonlySet<string> = new Set();
  /** All documents that may be found meanwhile, in each form that they may have. */
  forms: ReadonlyMap<string, readonly TestDocument[]> = new Map();
  #isStopped = false;
  readonly #running = this.#watch();

  async #watch(): Promise<void> {
    for (; !this.#isStopped; await sleep(1)) {
      await makeVisible(solr.http);
      const { datasets: before, forms } = this;
      const found = await listed(false);
      if (forms !== this.forms) continue;
      this.looks += 1;
      const versions = new Map<string, Set<string>>();
      for (const file of found) {
        const all = (forms.get(file) ?? []).filter(isPublic);
        // A document whose version is corrected meanwhile may be of either.
        const [one, other] = all;
        if (one === undefined || (other && String(rankOf(one)) !== String(rankOf(other)))) continue;
        const some = versions.get(datasetIn(one)) ?? new Set();
        versions.set(datasetIn(one), some.add(String(rankOf(one))));
      }
      for (const [dataset, some] of versions) {
        if (some.size > 1) this.wrong.push(`${dataset} is found as ${[...some].join(" and ")}`);
      }
      const there = new Set(found.flatMap((file) => (forms.get(file) ?? []).map(datasetIn)));
      const [missing] = [...before].filter((one) => !there.has(one));
      if (missing !== undefined) this.wrong.push(`${missing} is missing`);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

it(
  `${HISTORIES} histories are found as the oracle has them, and each dataset in one version at any moment`,
  async () => {
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const watcher = new Watcher();
    let killed = 0;
    for (let history = 0; history < HISTORIES; history += 1) {
      // A look that is under way saw the last history, of which nothing is left now.
      watcher.datasets = new Set();
      watcher.forms = new Map();
      await emptyIndex(solr);
      let stored = new Map<string, TestDocument>();
      for (let change = 0; change < CHANGES; change += 1) {
        const some = (): TestDocument => {
          const dataset = Math.floor(random() * DATASETS);
          const isBad = random() < 0.1;
          // The first dataset has copies under another root. The folders distinguish the others.
          const folder = pick(FOLDERS);
          const root = dataset === 0 ? pick(["disk", "tape"]) : "disk";
          return {
            file: `/${root}/d${dataset}/${folder}/${pick(CUTS)}.nc`,
            ...(dataset === 0 && STANDARD),
            ...(random() < 0.3 && { version: pick(["v3", "11", "v20190101", "20210101"]) }),
            // Without a standard, a bare number is a version only where the field says so.
            ...(dataset !== 0 && /^\d/.test(folder) && { version: folder }),
            ...(random() < 0.05 && { user: "ada" }),
            ...(isBad && { time: "never" }),
          };
        };
        const after = new Map(stored);
        let act: (on: Pick<Solr, "http">) => Promise<unknown>;
        if (random() < 0.3) {
          const gone = [...stored.keys()].filter(() => random() < 0.3);
          for (const file of gone) if (stored.get(file)?.user === undefined) after.delete(file);
          act = ({ http }) => removeDocuments(http, gone);
        } else {
          const all = Array.from({ length: 1 + Math.floor(random() * 8) }, some);
          const documents = [...new Map(all.map((one) => [one.file, one])).values()];
          for (const one of documents) if (one.time === undefined) after.set(one.file, one);
          act = (on) => load(on, documents);
        }
        const both = [newest(stored), newest(after)] as const;
        watcher.datasets = new Set([...both[0].keys()].filter((one) => both[1].has(one)));
        watcher.forms = new Map(
          [...new Set([...stored.keys(), ...after.keys()])].map((file) => {
            return [file, [stored.get(file), after.get(file)].flatMap((one) => one ?? [])];
          }),
        );
        if (random() < 0.4) {
          killed += 1;
          await act({ http: new DyingHttp(Math.floor(random() * 12)) }).catch((error: unknown) => {
            if (!(error instanceof SolrUnavailable)) throw error;
          });
        }
        await act(solr);
        stored = after;
        const told = `history ${history}, change ${change}, SEED=${SEED}`;
        const all = [...stored.values()].filter(isPublic);
        const best = newest(stored);
        const wanted = all.filter((one) => best.get(datasetIn(one)) === String(rankOf(one)));
        expect(await listed(true), told).toEqual(all.map(({ file }) => file).sort());
        expect(await listed(false), told).toEqual(wanted.map(({ file }) => file).sort());
        expect(watcher.wrong, told).toEqual([]);
      }
    }
    await watcher.stop();
    tried(HISTORIES);
    expect(watcher.wrong).toEqual([]);
    expect(watcher.looks).toBeGreaterThan(HISTORIES);
    expect(killed).toBeGreaterThan(HISTORIES / 2);
  },
  patience(180_000, 7_200_000),
);
