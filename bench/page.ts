/**
 * Measures the page in Chromium with the real service: compressed size of the first load; time until it is interactive
 * with a four times slower processor; typing in the filter of a facet of 5,000 values; time from the click to the picture
 * of a slice of 192 x 384 values, the first time (view, worker and header are loaded) and with another data set.
 *
 *     npm run build && npx tsx bench/page.ts [ROUNDS]
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { datasetId } from "../src/files/zarr/address.js";
import { findChromium, makeChromium, startBrowser } from "../test/support/page/browser.js";
import { firstLook, writeSlices } from "../test/support/page/first-look.js";
import { type FirstLoad, firstLoad, typing } from "../test/support/page/page-speed.js";
import { addUser, PASSWORD } from "../test/support/service/sign-in.js";
import { alone, median, milliseconds, type Row, table } from "./report.js";
import { Service } from "./service.js";

/** Maximal milliseconds: from the click to the picture; until the page is interactive; from a key to its answer. */
const [FIRST_LOOK, INTERACTIVE, TYPING] = [500, 1000, 100];
/** Maximal bytes with answers, compressed by gzip. */
const FIRST_LOAD = 100_000;
const SLOWER = 4;
const VALUES = 5000;

const rounds = Number(process.argv[2] ?? 5);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-page-"));

/** Each round has its own browser context, so that nothing is cached. */
async function looks(browser: Browser, address: string, name: string, paths: readonly string[]) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${address}/account`);
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("User name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: `Account: ${name}` }).waitFor();
  const times: number[] = [];
  for (const path of paths) times.push(await firstLook(page, `look?id=${datasetId(path)}`));
  await context.close();
  return times;
}

/** @returns milliseconds from each key to its answer */
async function types(browser: Browser, address: string): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${address}/?flavour=native`);
  const filter = page.getByRole("searchbox", { name: "Filter model", exact: true });
  await filter.waitFor();
  const { typed } = await typing(filter, ["4", "49", "499", "49", "4", "", "model-1"]);
  await context.close();
  return typed;
}

await makeChromium();
const program = findChromium();
if (program === undefined || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write("Usage: page [ROUNDS]\n");
  process.exit(2);
}
const files = ["first.nc", "second.nc"].map((name) => join(folder, name));
for (const file of files) await writeSlices(file);
const dataDir = join(folder, "data");
const service = await Service.start(dataDir, { DATA_ROOTS: folder });
const browser = await startBrowser(program);
try {
  const catalogue = join(folder, "catalogue.jsonl");
  const models = Array.from({ length: VALUES }, (_, n) => ({
    file: `/data/${n}.nc`,
    model: `model-${n}`,
    variable: "tas",
    project: "bench",
    dataset_id: `bench.${n}`,
    time: "[1850 TO 2014]",
  }));
  const documents = [...files.map((file) => ({ file })), ...models];
  await writeFile(catalogue, documents.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await service.index(catalogue);
  const { name } = await addUser(dataDir);
  const address = new URL(service.url("")).origin;
  const times: number[][] = [];
  for (let i = 0; i < rounds; i++) times.push(await looks(browser, address, name, files));
  const row = (what: string, at: number): Row => {
    const middle = median(times.map((one) => one[at] ?? Number.NaN));
    return alone(what, milliseconds(middle), milliseconds(FIRST_LOOK), middle <= FIRST_LOOK);
  };
  const loads: FirstLoad[] = [];
  for (let i = 0; i < rounds; i++) loads.push(await firstLoad(browser, `${address}/`, SLOWER));
  const bytes = Math.max(...loads.map(({ files, answers }) => files + answers));
  const usable = median(loads.map(({ interactive }) => interactive));
  const typed = median((await types(browser, address)).slice(1));
  const kilobytes = (value: number): string => `${(value / 1000).toFixed(1)} kB`;
  const rows = [
    alone(
      "first load with its answers, gzip",
      kilobytes(bytes),
      kilobytes(FIRST_LOAD),
      bytes <= FIRST_LOAD,
    ),
    alone(
      `to be used, processor ${SLOWER} x slower`,
      milliseconds(usable),
      milliseconds(INTERACTIVE),
      usable <= INTERACTIVE,
    ),
    alone(
      `a key in the filter of ${VALUES} values`,
      milliseconds(typed),
      milliseconds(TYPING),
      typed <= TYPING,
    ),
    row("first look, the view not loaded yet", 0),
    row("first look at another", 1),
  ];
  process.stdout.write(`${table(rows)}\n`);
  if (rows.some(({ met }) => met === false)) process.exitCode = 1;
} finally {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
