/**
 * Measures what grows with the number of files and what does not, and extrapolates to a hundred million.
 *
 *     npx tsx bench/scale.ts FOLDER [SIZE...]     # 500000 2000000; the long form: 500000 2000000 10000000
 *
 * The index of each size is made once in FOLDER/SIZE and used again by the next run. 10 million files take a quarter of an
 * hour and 10 GB. The client runs on the same cores.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readRunning } from "../src/index/embedded/running.js";
import { packagePath } from "../src/platform/package-root.js";
import { names } from "./make-catalogue.js";
import { RemoteClient } from "./remote-client.js";
import { median, megabytes, milliseconds, type Row, table } from "./report.js";
import { memoryOf, Service } from "./service.js";

const ROUNDS = 9;
const LIST = "data-search/cmip6/file";
const FACETS = "metadata-search/cmip6/file";
/** An offset that the smallest index has as well. */
const PAGE = 400_000;
const MAX_RATIO = 1.5;
const FAR = 100_000_000;

const [given = "", ...numbers] = process.argv.slice(2);
const sizes = (numbers.length > 0 ? numbers : ["500000", "2000000"]).map(Number);
if (given === "" || sizes.some((size) => !(size > PAGE))) {
  process.stderr.write(`Usage: scale FOLDER [SIZE...]   (sizes above ${PAGE})\n`);
  process.exit(2);
}
const folder = resolve(given);
const settings = { SOLR_HEAP: process.env.SOLR_HEAP ?? "1g" };

/** Measures at one size: milliseconds, kilobytes, files a second. */
interface Measures {
  readonly size: number;
  readonly figures: Readonly<Record<Figure, number>>;
}

const FIGURES = {
  first: "first byte of the list of everything",
  model: "first byte of the list of one model",
  memory: "memory of the service: growth while everything is listed",
  again: "metadata-search of everything, revalidated",
  page: `first byte of the list from ${PAGE.toLocaleString("en")} on`,
  counted: "metadata-search of everything, counted anew",
  whole: "the list of everything, whole",
  last: "the last ten of everything (start=N-10)",
  disk: "index on disk",
  heap: "Solr's heap in use after it",
  solr: "Solr's resident memory",
  index: "files a second, when the index was made",
} as const;
type Figure = keyof typeof FIGURES;

/** These must not grow. */
const FLAT: readonly Figure[] = ["first", "memory", "again", "page"];
/** These may grow; the list of one model grows with the number of its files. */
const GROWS: readonly Figure[] = ["model", "counted", "whole", "last", "disk", "heap", "solr"];

const shown: Readonly<Partial<Record<Figure, (value: number) => string>>> = {
  memory: megabytes,
  disk: (value) => `${(value / 1024 / 1024).toFixed(2)} GB`,
  heap: megabytes,
  solr: megabytes,
  index: (value) => `${Math.round(value).toLocaleString("en")}/s`,
};
const show = (figure: Figure, value: number): string => (shown[figure] ?? milliseconds)(value);

/** Makes the index of a size unless it exists; returns the files a second. */
async function indexOf(size: number): Promise<number> {
  const data = join(folder, String(size));
  const note = join(data, "indexed.json");
  if (existsSync(note)) return (JSON.parse(await readFile(note, "utf8")) as { rate: number }).rate;
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  process.stderr.write(`Indexing ${size.toLocaleString("en")} files\n`);
  const start = performance.now();
  const env = { ...process.env, ...settings, DATA_DIR: data, LOG_LEVEL: "warn" };
  const main = packagePath("dist", "src", "main.js");
  // A shell pipe, because Node's pipes between processes cannot be opened by name.
  const line =
    '"$0" --import tsx bench/make-catalogue.ts /dev/stdout "$1" details | "$0" "$2" index -';
  const index = spawn("/bin/sh", ["-c", line, process.execPath, String(size), main], {
    env,
    cwd: packagePath(),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(index, "exit");
  if (code !== 0) throw new Error(`index ended with ${code}`);
  const rate = (size / (performance.now() - start)) * 1000;
  await writeFile(note, JSON.stringify({ rate }));
  return rate;
}

/** Kilobytes of the files in a folder. */
async function kilobytes(path: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return sum / 1024;
}

async function measure(size: number): Promise<Measures> {
  const index = await indexOf(size);
  const data = join(folder, String(size));
  const service = await Service.start(data, settings);
  const client = new RemoteClient();
  try {
    const lines = await service.solr.count("files", "latest:true");
    const url = (path: string, query = {}) => ({ target: { url: service.url(path, query) } });
    const glance = async (query: Readonly<Record<string, string>>): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const { firstByte } = await client.do("glance", url(LIST, query));
        // The first round is warm-up.
        if (round > 0) times.push(firstByte);
      }
      return median(times);
    };
    const first = await glance({});
    const model = await glance({ source_id: names.model(1) });
    const page = await glance({ start: String(PAGE) });
    const last: number[] = [];
    for (let round = 0; round < 3; round++) {
      const ten = await client.do("download", url(LIST, { start: String(lines - 10) }));
      last.push(ten.whole);
    }

    // Different searches, each of nearly all files.
    const targets = Array.from({ length: 9 }, (_, i) => {
      return url(FACETS, { source_id_not_: names.model(i) }).target;
    });
    const { each } = await client.do("series", { targets, clients: 1 });
    const same = Array.from({ length: 100 }, () => url(FACETS).target);
    const again = median((await client.do("series", { targets: same, clients: 1 })).each);

    for (let i = 0; i < 20; i++) {
      await client.do("download", url(LIST, { source_id: names.model(1) }));
    }
    const { now: before } = await service.memory();
    await service.resetPeak();
    const list = await client.do("download", { ...url(LIST), countLines: true });
    if (list.lines !== lines) throw new Error(`${list.lines} lines of ${lines}`);
    const memory = (await service.memory()).peak - before;
    const solr = await readRunning(join(data, "solr"));
    return {
      size,
      figures: {
        first,
        model,
        memory,
        again,
        page,
        whole: list.whole,
        index,
        counted: median(each.slice(2)),
        last: median(last),
        disk: await kilobytes(join(data, "solr")),
        heap: (await service.solr.heapUsed()) / 1024,
        solr: (await memoryOf(solr?.pid ?? 0)).now,
      },
    };
  } finally {
    client.close();
    await service.stop();
    await sleep(1000);
  }
}

/** Fits a line by least squares. */
function line(points: readonly (readonly [number, number])[]): (x: number) => number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))];
  const slope =
    points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) /
    points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return (at) => y + slope * (at - x);
}

process.stdout.write(
  `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}, Solr's heap ${settings.SOLR_HEAP}\n\n`,
);
const seen: Measures[] = [];
for (const size of sizes) seen.push(await measure(size));
const [smallest, largest] = [seen[0], seen.at(-1)];
if (smallest === undefined || largest === undefined) throw new Error("nothing was measured");

const flat = FLAT.map((figure): Row => {
  const [few, many] = [smallest.figures[figure], largest.figures[figure]];
  // Values below the resolution of clock and memory have no ratio.
  const min = figure === "memory" ? 20 * 1024 : 2;
  const ratio = Math.max(many, min) / Math.max(few, min);
  return {
    what: FIGURES[figure],
    ours: seen.map(({ figures }) => show(figure, figures[figure])).join(", "),
    solr: "",
    ratio: ratio.toFixed(2),
    target: `<= ${MAX_RATIO}`,
    met: ratio <= MAX_RATIO,
  };
});
const grows = GROWS.map((figure): Row => {
  const at = line(seen.map(({ size, figures }) => [size, figures[figure]]));
  const rate = show(figure, at(2_000_000) - at(1_000_000));
  return {
    what: FIGURES[figure],
    ours: seen.map(({ figures }) => show(figure, figures[figure])).join(", "),
    solr: `+ ${rate} a million`,
    ratio: "",
    target: sizes.length > 2 ? `${show(figure, at(FAR))} at 100 million` : "",
    met: undefined,
  };
});
const rates = seen.map(({ figures }) => show("index", figures.index)).join(", ");
process.stdout.write(`Files: ${sizes.map((size) => size.toLocaleString("en")).join(" and ")}\n`);
process.stdout.write(`${table([...flat, ...grows])}\n\n${FIGURES.index}: ${rates}\n`);
process.exitCode = flat.every(({ met }) => met) ? 0 : 1;
