/** A crawl that is killed anywhere is completed by the next one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { build, MAIN, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import {
  emptyIndex,
  fillIndex,
  load,
  type TestDocument,
  testClient,
} from "../../support/service/service.js";
import { cmip6Bytes, contents, crawl, put, putCmip6 } from "./tree.js";

const solr = testClient();
const MEMBERS = 20;
const [OLD, NEW] = ["v20190710", "v20200101"];

beforeAll(build);

const state = async () => ({
  files: await contents(solr, "files"),
  latest: await contents(solr, "latest"),
});

/** Starts a crawl, and kills it after so many milliseconds; without it lets it end. */
async function killed(root: string, milliseconds?: number): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [MAIN, "crawl", "--drs", "cmip6", root], {
    env: { PATH: process.env.PATH, ...testSolrSettings() },
    stdio: "ignore",
  });
  const closed = once(child, "close");
  if (milliseconds !== undefined) {
    await Promise.race([sleep(milliseconds), closed]);
    child.kill("SIGKILL");
  }
  await closed;
  return performance.now() - begin;
}

it(
  "a killed crawl that is run again gives the same index, whenever it was killed",
  async () => {
    const random = chance(SEED);
    const root = freshFolder();
    await emptyIndex(solr);
    const member = (at: number): string => `r${at + 1}i1p1f1`;
    const old = await Promise.all(
      Array.from({ length: MEMBERS }, (_, at) =>
        putCmip6(root, { member: member(at), version: OLD }),
      ),
    );
    await crawl([root]);
    const before = (await state()).files as TestDocument[];
    expect(before).toHaveLength(MEMBERS);
    // Then some have a new version, some are others, and some have gone, with or without a version that stays.
    for (let at = 0; at < MEMBERS; at += 1) {
      const path = old[at] ?? "";
      // A folder that is empty would be no evidence.
      await put(join(dirname(dirname(path)), "readme"), "");
      if (at % 2 === 0) await putCmip6(root, { member: member(at), version: NEW });
      if (at % 3 === 0) await rm(dirname(path), { recursive: true });
      else if (at % 5 === 0) {
        await rm(path);
        await put(path, Buffer.concat([cmip6Bytes({ member: member(at) }), Buffer.alloc(8)]));
      }
    }
    const restore = async (): Promise<void> => {
      await fillIndex(solr, before);
      // Newest versions that are there no more: older ones have to come back.
      await load(
        solr,
        before.map((document) => ({
          ...document,
          file: document.file.replace(OLD, "v20210303"),
          version: "v20210303",
        })),
      );
    };
    await emptyIndex(solr);
    await crawl([root]);
    const wanted = await state();
    expect(wanted.latest.length).toBeLessThan(wanted.files.length);
    await restore();
    const whole = await killed(root);
    expect(await state()).toEqual(wanted);
    for (let attempt = 0; attempt < attempts(2, 50); attempt += 1) {
      await restore();
      // Most of its time it reads; half of the kills are for the rest.
      const from = attempt % 2 === 0 ? 0.2 : 0.75;
      const at = whole * (from + random() * (1.05 - from));
      await killed(root, at);
      await crawl([root]);
      expect(await state(), `killed after ${Math.round(at)} of ${Math.round(whole)} ms`).toEqual(
        wanted,
      );
    }
  },
  patience(120_000),
);
