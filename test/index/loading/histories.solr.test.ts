/**
 * Random histories of versions against an oracle: added, corrected, removed, added again, refused, killed at any request.
 * Somebody commits and searches all the while, so that what Solr shows between two writes is seen too.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildSearch } from "../../../src/domain/search/search.js";
import { FLAVOURS } from "../../../src/domain/vocabulary/flavours.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import { makeVisible } from "../../../src/index/loading/indexed-versions.js";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import { compareRanks, drsKey, rank } from "../../../src/index/loading/version.js";
import type { Solr } from "../../../src/index/solr.js";
import { attempts, patience } from "../../support/run/attempts.js";
import { chance, SEED } from "../../support/run/chance.js";
import { tried } from "../../support/run/tried.js";
import {
  DyingHttp,
  emptyIndex,
  load,
  type TestDocument,
  testClient,
} from "../../support/service/service.js";

const HISTORIES = attempts(8, 1000);
const CHANGES = 5;
const KEYS = 4;
const FOLDERS = ["v20180101", "v20190101", "v20200101", "v20210101"];

const solr = testClient();
beforeAll(() => emptyIndex(solr));
afterAll(() => emptyIndex(solr));

const searchOf = (isMultiVersion: boolean) =>
  buildSearch({
    path: { flavour: FLAVOURS.native, uniq_key: "file" },
    query: {
      ...{ "multi-version": isMultiVersion, translate: true, filters: {} },
      ...{ time_select: "flexible", bbox_select: "flexible" },
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

/** The newest public versions of what is stored; of each key the ranks, as equal ones may be either. */
function newest(stored: ReadonlyMap<string, TestDocument>): ReadonlyMap<string, string> {
  const best = new Map<string, TestDocument>();
  const of = ({ file, version }: TestDocument) => rank(version, file);
  for (const one of stored.values()) {
    if (one.user !== undefined) continue;
    const key = drsKey(one.file);
    const other = best.get(key);
    if (other === undefined || compareRanks(of(other), of(one)) < 0) best.set(key, one);
  }
  return new Map([...best].map(([key, one]) => [key, String(of(one))]));
}

/** Commits and searches until it is stopped. Keeps files that were missing or found twice. */
class Watcher {
  readonly wrong: string[] = [];
  looks = 0;
  /** Keys that are in the index before and after the change that is under way. */
  keys: ReadonlySet<string> = new Set();
  #isStopped = false;
  readonly #running = this.#watch();

  async #watch(): Promise<void> {
    for (; !this.#isStopped; await sleep(1)) {
      await makeVisible(solr.http);
      const before = this.keys;
      const found = (await listed(false)).map(drsKey);
      const [twice] = found.filter((key, at) => found.indexOf(key) !== at);
      if (twice !== undefined) this.wrong.push(`${twice} is found twice`);
      const [missing] = [...before].filter((key) => this.keys.has(key) && !found.includes(key));
      if (missing !== undefined) this.wrong.push(`${missing} is missing`);
      this.looks += 1;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

it(
  `${HISTORIES} histories are found as the oracle has them, and each file once at any moment`,
  async () => {
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const watcher = new Watcher();
    let killed = 0;
    for (let history = 0; history < HISTORIES; history += 1) {
      watcher.keys = new Set();
      await emptyIndex(solr);
      let stored = new Map<string, TestDocument>();
      for (let change = 0; change < CHANGES; change += 1) {
        const path = () => `/h/${Math.floor(random() * KEYS)}/${pick(FOLDERS)}/a.nc`;
        const after = new Map(stored);
        let act: (on: Pick<Solr, "http">) => Promise<unknown>;
        if (random() < 0.3) {
          const gone = [...stored.keys()].filter(() => random() < 0.3);
          for (const file of gone) if (stored.get(file)?.user === undefined) after.delete(file);
          act = ({ http }) => removeDocuments(http, gone);
        } else {
          const files = new Set(Array.from({ length: 1 + Math.floor(random() * 8) }, path));
          const documents = [...files].map((file): TestDocument => {
            const isBad = random() < 0.1;
            return {
              file,
              ...(random() < 0.5 && { version: `v${1 + Math.floor(random() * 5)}` }),
              ...(random() < 0.05 && { user: "ada" }),
              ...(isBad && { time: "never" }),
            };
          });
          for (const one of documents) if (one.time === undefined) after.set(one.file, one);
          act = (on) => load(on, documents);
        }
        const both = [newest(stored), newest(after)] as const;
        watcher.keys = new Set([...both[0].keys()].filter((key) => both[1].has(key)));
        if (random() < 0.4) {
          killed += 1;
          await act({ http: new DyingHttp(Math.floor(random() * 12)) }).catch((error: unknown) => {
            if (!(error instanceof SolrUnavailable)) throw error;
          });
        }
        await act(solr);
        stored = after;
        const told = `history ${history}, change ${change}, SEED=${SEED}`;
        const isPublic = ({ user }: TestDocument) => user === undefined;
        const all = [...stored.values()].filter(isPublic).map(({ file }) => file);
        expect(await listed(true), told).toEqual(all.sort());
        const found = (await listed(false)).map((file) => {
          const one = stored.get(file);
          return [drsKey(file), String(rank(one?.version, file))] as const;
        });
        expect(found.length, told).toBe(newest(stored).size);
        expect(new Map(found), told).toEqual(new Map(newest(stored)));
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
