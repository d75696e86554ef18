/**
 * Measures the rate of `crawl` against its parts, reading headers and `index`, and the time of a crawl that finds nothing
 * new.
 *
 *     npx tsx bench/crawl.ts [N] [ROUNDS]
 */
import { readdirSync } from "node:fs";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "../src/files/cf/describe.js";
import { coordinateValues } from "../src/files/zarr/coordinate-values.js";
import { Datasets } from "../src/files/zarr/dataset/datasets.js";
import { writeCatalogue } from "./make-catalogue.js";
import { makeTree } from "./make-tree.js";
import { alone, median, milliseconds, perSecond, type Row, table } from "./report.js";
import { Service } from "./service.js";

const ROUNDS = Number(process.argv[3] ?? 3);
/** Files read at the same time, as in a crawl. */
const AT_ONCE = 8;
/** Maximal time of a second crawl of this many files. */
const SECOND = { files: 100_000, milliseconds: 20_000 };

const count = Number(process.argv[2] ?? SECOND.files);
const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Milliseconds to describe all files of a tree, and to discard the result. */
async function readHeaders(paths: readonly string[]): Promise<number> {
  const datasets = new Datasets();
  const start = performance.now();
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const dataset = await datasets.open(path);
      await describe(await dataset.header(), coordinateValues(datasets, dataset));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  const whole = performance.now() - start;
  await datasets.close();
  return whole;
}

function filesBelow(tree: string): string[] {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** A number in the summary of a crawl, such as of `opened`. */
const countIn = (summary: string, what: string): number => {
  const [, number = "NaN"] =
    new RegExp(`([\\d,]+) ${what}`).exec(summary.split("\n").at(-2) ?? "") ?? [];
  return Number(number.replaceAll(",", ""));
};

async function measure(folder: string): Promise<Row[]> {
  say(`Making ${count.toLocaleString("en")} files and as many documents`);
  const tree = makeTree(join(folder, "pool"), count);
  const catalogue = join(folder, "catalogue.jsonl");
  await writeCatalogue(catalogue, count, "lines", "details");
  const paths = filesBelow(tree);
  const service = await Service.start(join(folder, "data"));
  const crawl = ["crawl", "--drs", "cmip6", "--min-age", "0", tree];
  const empty = async (): Promise<void> => {
    await service.solr.empty("files");
  };
  const times: { headers: number; index: number; first: number; second: number }[] = [];
  let opened = 0;
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      say(`Round ${round} of ${ROUNDS}: headers alone, index alone, crawl, crawl again`);
      const headers = await readHeaders(paths);
      await empty();
      const index = await service.index(catalogue);
      await empty();
      const first = await service.command(crawl);
      if (countIn(first.stderr, "stored") !== count) throw new Error(`crawl: ${first.stderr}`);
      const second = await service.command(crawl);
      opened += countIn(second.stderr, "opened");
      times.push({ headers, index, first: first.whole, second: second.whole });
    }
    say("One file changed");
    const [changed = ""] = paths;
    await utimes(changed, 1e9, 1e9);
    const { stderr } = await service.command(crawl);
    if (countIn(stderr, "opened") !== 1) throw new Error(`one file was changed: ${stderr}`);
  } finally {
    await service.stop();
  }
  const middle = (name: keyof (typeof times)[number]): number =>
    median(times.map((time) => time[name]));
  const ratio = median(times.map(({ headers, index, first }) => (headers + index) / first));
  const rate = (time: number): string => perSecond((count / time) * 1000);
  // With fewer files the start of the process dominates.
  const allowed = SECOND.milliseconds * Math.max(1, count / SECOND.files);
  const second = middle("second");
  return [
    alone("headers alone", rate(middle("headers")), "", undefined),
    alone("index alone, all fields", rate(middle("index")), "", undefined),
    {
      what: "crawl (second column: index and headers, one after the other)",
      ours: rate(middle("first")),
      solr: rate(middle("headers") + middle("index")),
      ratio: ratio.toFixed(2),
      target: ">= 0.60",
      met: ratio >= 0.6,
    },
    alone("crawl again", milliseconds(second), `<= ${milliseconds(allowed)}`, second <= allowed),
    alone("files opened by it", String(opened), "0", opened === 0),
  ];
}

if (!Number.isInteger(count) || count < 1000) {
  say("Usage: crawl [N] [ROUNDS]   (N files, at least 1000)");
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
try {
  process.stdout.write(`${count.toLocaleString("en")} files\n\n${table(await measure(folder))}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
