/** A Solr that is killed while lists and catalogues are read: each is broken off, or whole. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SINGLE } from "../../../src/index/collections/shards.js";
import { findRunningSolr } from "../../../src/index/embedded/running.js";
import { Solr } from "../../../src/index/solr.js";
import { javaOf, Serving } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { load } from "../../support/service/service.js";

const KILLS = attempts(2, 50);
const COUNT = 20_000;

let dataDir: string;
let serving: Serving;
beforeAll(async () => {
  dataDir = join(freshFolder(), "var");
  serving = await Serving.start({ DATA_DIR: dataDir, SOLR_HEAP: "256m", LOG_LEVEL: "error" });
  const endpoint = await findRunningSolr(dataDir);
  if (endpoint === undefined) throw new Error("no Solr runs");
  const documents = Array.from({ length: COUNT }, (_, index) => ({
    // Together more than the buffers between Solr and a client hold.
    file: `/kills/${String(index).padStart(6, "0")}/${"x".repeat(1000)}.nc`,
    project: ["kills"],
    time: "[2000 TO 2001]",
  }));
  await load(new Solr(endpoint, 20_000, SINGLE), documents);
});
afterAll(async () => {
  await serving?.end("SIGTERM");
  await vi.waitFor(() => expect(javaOf(dataDir)).toEqual([]), { timeout: 30_000 });
});

/** How many documents an answer has that came to its end; undefined for one that broke off or is no 200. */
const READERS: Readonly<Record<string, (bytes: Buffer) => number>> = {
  "data-search": (bytes) => bytes.toString().split("\n").length - 1,
  "intake-catalogue": (bytes) =>
    (JSON.parse(bytes.toString()) as { catalog_dict: object[] }).catalog_dict.length,
  "stac-catalogue": (bytes) =>
    Object.keys(unzipSync(bytes)).filter((name) => name.includes("/items/")).length,
};

type Outcome = "whole" | "refused" | "broken" | "short";

/** @param begun hears when its first bytes are there; the others are read once what it returns is fulfilled */
async function read(operation: string, begun = async () => {}): Promise<Outcome> {
  const path = `/databrowser/${operation}/native/file?project=kills`;
  try {
    const response = await serving.get(path, { headers: { "Accept-Encoding": "identity" } });
    const { status, body } = response;
    if (status !== 200 || body === null) return status === 503 ? "refused" : "short";
    const pieces: Uint8Array[] = [];
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      if (pieces.push(piece) === 1) await begun();
    }
    const count = READERS[operation]?.(Buffer.concat(pieces));
    return count === COUNT ? "whole" : "short";
  } catch (error) {
    // An answer that came to its end and cannot be read is one that looks whole.
    return error instanceof SyntaxError ? "short" : "broken";
  }
}

it(
  "a killed Solr leaves no list and no catalogue that looks complete and is not",
  async () => {
    const random = chance(SEED);
    const seen: Record<Outcome, number> = { whole: 0, refused: 0, broken: 0, short: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      await expect
        .poll(async () => (await serving.get("/ready")).status, { timeout: 60_000 })
        .toBe(200);
      const [java = 0] = javaOf(dataDir);
      const readers = Object.keys(READERS).flatMap((operation) => [operation, operation]);
      let begun = 0;
      let killed = () => {};
      const kills = new Promise<void>((resolve) => {
        killed = resolve;
      });
      const reading = readers.map((operation) =>
        read(operation, () => {
          begun += 1;
          return kills;
        }),
      );
      // When most are on their way; others may have to wait for these.
      for (let waited = 0; begun < readers.length - 1 && waited < 1000; waited += 1) await sleep(5);
      await sleep(random() * 100);
      process.kill(java, "SIGKILL");
      killed();
      for (const outcome of await Promise.all(reading)) seen[outcome] += 1;
    }
    console.info(`${KILLS} kills: ${JSON.stringify(seen)}`);
    tried(KILLS, KILLS - Math.min(KILLS, seen.short));
    expect(seen.short, `SEED=${SEED}`).toBe(0);
    expect(seen.broken, `SEED=${SEED}`).toBeGreaterThan(0);
    // Back with all of it.
    await expect
      .poll(async () => (await serving.get("/ready")).status, { timeout: 60_000 })
      .toBe(200);
    expect(await read("data-search")).toBe("whole");
  },
  patience(120_000, 1_200_000),
);
