/**
 * Measures joined stores: planning of many files, and the speed of their chunks against single files.
 *
 *     npx tsx bench/join.ts [FILES]
 *
 * FILES is the number of large files, of 50 MB each; left out: 24.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Datasets } from "../src/files/zarr/dataset/datasets.js";
import { READERS } from "../src/files/zarr/worker/pool.js";
import { packagePath } from "../src/platform/package-root.js";
import { joinedIn, netcdfIn, recipeOf } from "../test/files/zarr/joins/joins.js";
import { serveZarr } from "../test/files/zarr/server.js";
import { makePython, runPython } from "../test/support/programs/python.js";

const ROUNDS = 5;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Units of /proc/<pid>/stat in a second. */
const TICKS = 100;

/** Seconds of processor time of this process and its reading processes. */
function processorTime(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
  const { user, system } = process.cpuUsage();
  let sum = (user + system) / 1e6;
  for (const child of children === "" ? [] : children.split(" ")) {
    const fields = readFileSync(`/proc/${child}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    sum += (Number(fields[11]) + Number(fields[12])) / TICKS;
  }
  return sum;
}

/** Seconds of the clock, and of processors. */
interface Cost {
  readonly wall: number;
  readonly spent: number;
}

/** The cost of work with new caches, whose reading processes have been started. */
async function cold(
  paths: readonly string[],
  work: (datasets: Datasets) => Promise<unknown>,
): Promise<Cost> {
  const datasets = new Datasets();
  await Promise.all(paths.slice(0, READERS.default).map((path) => datasets.open(path)));
  const before = processorTime();
  const wall = await seconds(() => work(datasets));
  const spent = processorTime() - before;
  await datasets.close();
  return { wall, spent };
}

/**
 * A plan of 200 files without any cache, against as many openings: one that is timed alone, shared by all processes in
 * theory; and all of them, made by all processes at once.
 */
async function planning(paths: readonly string[]): Promise<void> {
  const one: number[] = [];
  const pairs: { readonly plan: Cost; readonly open: Cost }[] = [];
  const [first = "", ...others] = paths;
  for (let round = 0; round < ROUNDS; round++) {
    const openAt = async (datasets: Datasets, path: string) =>
      (await datasets.open(path)).content("time/0");
    one.push((await cold(others, (datasets) => openAt(datasets, first))).wall);
    const open = await cold(paths, async (datasets) => {
      const rest = paths.values();
      const worker = async (): Promise<void> => {
        for (const path of rest) await openAt(datasets, path);
      };
      await Promise.all(Array.from({ length: READERS.default }, worker));
    });
    const plan = await cold(paths, async (datasets) =>
      joinedIn(datasets, await recipeOf(datasets, paths)),
    );
    pairs.push({ plan, open });
  }
  const bound = (paths.length * median(one)) / READERS.default;
  const all = median(pairs.map(({ plan }) => plan.wall));
  console.log(
    `plan of ${paths.length} files: ${all.toFixed(2)} s, bound ${bound.toFixed(2)} s of one opening alone`,
  );
  const wall = median(pairs.map(({ plan, open }) => plan.wall / open.wall));
  const spent = median(pairs.map(({ plan, open }) => plan.spent / open.spent));
  console.log(
    `  against opening them all: time ${wall.toFixed(2)}, processor time ${spent.toFixed(2)}`,
  );
}

/** All chunks of the joined store and of its files one after the other, and the whole variable by xarray. */
async function reading(paths: readonly string[], steps: number): Promise<void> {
  const datasets = new Datasets();
  const store = await joinedIn(datasets, await recipeOf(datasets, paths));
  const keys = (count: number): string[] =>
    Array.from({ length: count }, (_, step) => `tas/${step}.0.0`);
  const read = async (path: string | undefined, key: string): Promise<void> => {
    const content = await (path === undefined ? store : await datasets.open(path)).content(key);
    if (content.kind === "range") await datasets.read(content.range);
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const single = await seconds(async () => {
      for (const path of paths) for (const key of keys(steps)) await read(path, key);
    });
    const joined = await seconds(async () => {
      for (const key of keys(steps * paths.length)) await read(undefined, key);
    });
    ratios.push(single / joined);
  }
  console.log(`chunks of a join, speed against single files: ${median(ratios).toFixed(2)}`);
  const server = await serveZarr(datasets, async (path) =>
    path === "" ? store : datasets.open(path),
  );
  const script = packagePath("bench", "load_joined.py");
  const output = await runPython([
    script,
    String(process.pid),
    server.address(""),
    ...paths.map((path) => server.address(path)),
  ]);
  console.log(output.trim());
  await server.close();
}

const folder = await mkdtemp(join(tmpdir(), "climate-bench-join-"));
try {
  const make = packagePath("test", "files", "zarr", "joins", "make_joins.py");
  // Files, steps of each, latitudes and longitudes: 200 small files, and large ones.
  await makePython();
  await runPython([make, join(folder, "many"), "bench", "200", "12", "96", "192"]);
  const large = process.argv[2] ?? "24";
  await runPython([make, join(folder, "large"), "bench", large, "12", "720", "1440"]);
  await planning(netcdfIn(join(folder, "many")));
  await reading(netcdfIn(join(folder, "large")), 12);
} finally {
  await rm(folder, { recursive: true, force: true });
}
