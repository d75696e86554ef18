/**
 * npm run screenshots: takes the pictures of docs/images from the built page with the sample catalogue. Inspect them
 * before you commit them.
 *
 * npm run screenshots -- FOLDER: takes every view at 1280, 768 and 390 pixels, light and dark, and writes them to a folder.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { Service } from "../bench/service.js";
import { datasetId } from "../src/files/zarr/address.js";
import { packagePath } from "../src/platform/package-root.js";
import { findChromium, makeChromium, startBrowser } from "../test/support/page/browser.js";
import { signInOn } from "../test/support/page/page-sign-in.js";
import { addUser } from "../test/support/service/sign-in.js";

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly height?: number;
  readonly colour?: "light" | "dark";
  readonly signedIn?: true;
  readonly ready: (page: Page) => Promise<unknown>;
}

const drawn = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => "shownAt" in (document.querySelector(".look-map canvas") ?? {}));
const datasets = (page: Page): Promise<void> => page.locator(".dataset").first().waitFor();

const folder = await mkdtemp(join(tmpdir(), "climate-screenshots-"));
// The pictures must not show paths of the machine on which they are taken.
const pool = join(tmpdir(), "pool");
await cp(packagePath("data"), pool, { recursive: true });
const text = await readFile(join(pool, "catalogue.jsonl"), "utf8");
const documents = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { file: string; variable: string; dataset?: string })
  .map((one) => ({ ...one, file: isAbsolute(one.file) ? one.file : join(pool, one.file) }));
const shown = documents.find(
  ({ file, dataset }) => dataset === "sample" && file.includes("/tas_Amon_"),
);
const id = datasetId(shown?.file ?? "");

const PICTURES: readonly Picture[] = [
  {
    name: "search",
    path: "?flavour=cmip6&mip_era=cmip6&variable_id=tas&experiment_id=historical",
    ready: datasets,
  },
  { name: "look", path: `look?id=${id}`, height: 900, signedIn: true, ready: drawn },
  {
    name: "coverage",
    path: "coverage?flavour=cmip6&mip_era=cmip6&rows=source_id&columns=experiment_id&cells=years",
    colour: "dark",
    ready: (page) => page.getByRole("table").waitFor(),
  },
  {
    name: "place",
    path: "?flavour=cmip6&variable_id=tas&time=1985 to 1999&bbox=-15,40,30,70",
    height: 900,
    // A narrow page folds the map behind "Filters".
    ready: async (page) => {
      await datasets(page);
      await page.waitForLoadState("networkidle");
    },
  },
  {
    name: "phone",
    path: "?flavour=cmip6&mip_era=cmip6&variable_id=tas&experiment_id=historical",
    width: 390,
    height: 844,
    colour: "dark",
    ready: datasets,
  },
];

const EVERY_VIEW: readonly Picture[] = [
  { name: "start", path: "", ready: datasets },
  ...PICTURES.filter(({ name }) => name !== "phone"),
  {
    name: "dataset",
    path: PICTURES[0]?.path ?? "",
    ready: async (page) => {
      await page.locator(".dataset").first().getByRole("link").first().click();
      await page.getByRole("heading", { name: "Cite these data" }).waitFor();
    },
  },
  ...["complete", "cart", "flavours"].map(
    (path): Picture => ({
      name: path,
      path,
      ready: (page) => page.waitForLoadState("networkidle"),
    }),
  ),
  ...["userdata", "account"].map(
    (path): Picture => ({
      name: path,
      path,
      signedIn: true,
      ready: (page) => page.waitForLoadState("networkidle"),
    }),
  ),
];

/** Every view at each width in both colours. */
const everywhere = (): Picture[] =>
  [1280, 768, 390].flatMap((width) =>
    (["light", "dark"] as const).flatMap((colour) =>
      EVERY_VIEW.map((view) => ({
        ...view,
        name: `${view.name}-${width}-${colour}`,
        width,
        colour,
      })),
    ),
  );

const [given] = process.argv.slice(2);
const target = given === undefined ? packagePath("docs", "images") : resolve(given);
const pictures = given === undefined ? PICTURES : everywhere();
await makeChromium();
const program = findChromium();
if (program === undefined) throw new Error("Chromium is not installed.");
const dataDir = join(folder, "data");
const service = await Service.start(dataDir, { DATA_ROOTS: pool });
const browser = await startBrowser(program);
try {
  const catalogue = join(folder, "catalogue.jsonl");
  await writeFile(catalogue, documents.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await service.index(catalogue);
  const { name } = await addUser(dataDir, "ada");
  const address = new URL(service.url("")).origin;
  await mkdir(target, { recursive: true });
  for (const {
    name: file,
    path,
    width = 1280,
    height = 800,
    colour,
    signedIn,
    ready,
  } of pictures) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: colour ?? "light",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`${address}/${path}`);
    if (signedIn) await signInOn(page, name);
    await ready(page);
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: join(target, `${file}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(pool, { recursive: true, force: true });
}
