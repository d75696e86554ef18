/**
 * Tasks of scientists, by somebody who knows the words on the page and nothing else: find, look, compare two models,
 * complete models, take along, cite. Prints the clicks and seconds of each.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { packagePath } from "../../src/platform/package-root.js";
import { drawn } from "../support/page/drawn.js";
import { type OpenPage, useBrowsing } from "../support/page/page.js";
import { signInOn } from "../support/page/page-sign-in.js";
import { useService, useUser } from "../support/service/use-service.js";

const service = useService({ dataRoots: [packagePath("data")], documents: "sample" });
const name = useUser(service);
const told: string[] = [];
const browsing = useBrowsing(service);
afterAll(() => console.info(["Task: clicks and choices, seconds", ...told].join("\n")));

/** A task takes no more clicks and choices than this. */
const MAX_CLICKS = 10;

interface Hands {
  click(target: Locator): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
  readonly page: Page;
}

/** Does a task from the first screen, signed in, and notes what it took. */
async function task(title: string, work: (hands: Hands) => Promise<void>): Promise<void> {
  const opened: OpenPage = await browsing.openPage("");
  const { page } = opened;
  await signInOn(page, name);
  let clicks = 0;
  const start = performance.now();
  await work({
    page,
    click: async (target) => {
      clicks += 1;
      await target.click();
    },
    choose: async (target, label) => {
      clicks += 1;
      await target.selectOption(label);
    },
  });
  told.push(`${title}: ${clicks}, ${((performance.now() - start) / 1000).toFixed(1)}`);
  await opened.close();
  expect([title, clicks <= MAX_CLICKS]).toEqual([title, true]);
}

/** Types what is looked for into the box on top of every view. */
async function find(page: Page, text: string): Promise<void> {
  await page
    .getByRole("combobox", { name: /search/i })
    .first()
    .fill(text);
  await page.keyboard.press("Enter");
  await page.waitForURL(/variable/);
  await page.getByRole("table", { name: "Datasets of this search" }).waitFor();
}

const row = (page: Page, ...texts: readonly string[]): Locator =>
  texts.reduce(
    (rows, text) => rows.filter({ hasText: text }),
    page.getByRole("table", { name: "Datasets of this search" }).getByRole("row"),
  );

const MODEL = "MPI-ESM1-2-LR";
const TAS = "Near-surface air temperature";

describe("a scientist", () => {
  it("finds monthly near-surface temperature of a model", async () => {
    await task("find", async ({ page }) => {
      await find(page, `tas historical ${MODEL}`);
      await row(page, TAS, MODEL, "Monthly").first().waitFor();
    });
  });

  it("looks at it, in °C, at the next month", async () => {
    await task("look", async ({ page, click }) => {
      await find(page, `tas historical ${MODEL}`);
      const found = row(page, TAS, MODEL, "1985 to 1999").first();
      await click(found.getByRole("link", { name: /^First look/ }));
      await drawn(page);
      await click(page.getByRole("button", { name: "°C" }));
      await click(page.getByRole("button", { name: "time: next" }));
      await page.getByRole("heading", { name: /\(°C\)/ }).waitFor();
    });
  });

  it("compares it with another dataset of the same grid", async () => {
    await task("compare", async ({ page, click, choose }) => {
      await find(page, `tas historical ${MODEL}`);
      const found = row(page, TAS, MODEL, "1985 to 1999").first();
      await click(found.getByRole("link", { name: /^First look/ }));
      await drawn(page);
      await choose(page.getByLabel("Minus"), "another dataset");
      const scenario = `${MODEL} · ssp245 · r1i1p1f1`;
      await page.getByLabel("another dataset").getByText(scenario).waitFor({ state: "attached" });
      await choose(page.getByLabel("another dataset"), scenario);
      await page.getByRole("heading", { name: /minus tas_Amon_.*_ssp245_.*\.nc, 2015/ }).waitFor();
      await drawn(page);
    });
  });

  it("finds the models that have all the needed data, and puts them into the cart by one click", async () => {
    await task("complete models", async ({ page, click }) => {
      await click(page.getByRole("link", { name: "Complete models" }).first());
      await page.getByText(/\d+ of \d+ groups are complete\./).waitFor();
      await page
        .getByText(/nothing of experiment\w* ssp585/)
        .first()
        .waitFor();
      await click(page.getByRole("button", { name: /^Add \d+ groups? to cart$/ }));
      await page.getByRole("button", { name: /^In the cart/ }).waitFor();
    });
  });

  it("finds the models that have another set of variables and experiments, each for the same years", async () => {
    await task("complete models, own question", async ({ page, click }) => {
      const box = (name: string): Locator =>
        page.getByRole("main").getByRole("checkbox", { name, exact: true });
      await click(page.getByRole("link", { name: "Complete models" }).first());
      await click(box("rcp85"));
      await click(box("ssp585"));
      await click(box("pr"));
      await click(box("psl"));
      await click(box("mon"));
      await page.getByRole("main").getByLabel("From").fill("1990");
      await page.keyboard.press("Enter");
      await page.waitForURL(/psl.*mon.*1990/);
      await page.getByText(/^\d+ of \d+ groups are complete\./).waitFor();
    });
  });

  it("takes a dataset along as code", async () => {
    await task("take along", async ({ page, click }) => {
      await find(page, `tas historical ${MODEL}`);
      await click(row(page, TAS, MODEL, "1985 to 1999").first().getByRole("link").first());
      await page.getByRole("heading", { name: "Open the whole dataset" }).waitFor();
      await page.getByText("xr.open_zarr").first().waitFor();
      const arrives = page.waitForEvent("download");
      await click(
        page
          .getByRole("main")
          .getByRole("button", { name: /^Download/ })
          .first(),
      );
      expect(await readFile(await (await arrives).path(), "utf8")).toMatch(/^#!\/bin\/sh/);
    });
  });

  it("cites it, with its licence and version", async () => {
    await task("cite", async ({ page, click }) => {
      await find(page, `tas historical ${MODEL}`);
      await click(row(page, TAS, MODEL, "1985 to 1999").first().getByRole("link").first());
      await page.getByRole("heading", { name: "Cite these data" }).waitFor();
      await page.getByText(/MPI-M: CMIP6\..*version v\d+/).waitFor();
      await page.getByText("Apache-2.0").waitFor();
      await click(page.getByRole("button", { name: "Copy the citation" }));
    });
  });
});
