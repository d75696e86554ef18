/** The search view, as people use it. */

import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { axeViolations } from "../../support/page/axe.js";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { typing } from "../../support/page/page-speed.js";
import { expectBelow } from "../../support/run/bounds.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { useService } from "../../support/service/use-service.js";

/** Values that are no words: what they hold is markup, or has a meaning in an address or in a search. */
const HOSTILE = [
  "a/b+c&d=e#f%20g",
  `"double" and 'single'`,
  "<script>document.title='taken'</script>",
  "<img src=x onerror=alert(1)>",
  "größe ß 日本 😀",
  "a*b?c\\*d",
  "-minus",
  "not really",
  "!bang",
  '["list"]',
  "a,b;c:d",
];
const MANY = 5_000;
const many = Array.from({ length: MANY }, (_, index) => `model-${String(index).padStart(4, "0")}`);

const odd = {
  project: ["odd"],
  time: "[2000-01-01T00:00:00Z TO 2001-12-31T23:59:59Z]",
  version: "v1",
};
const service = useService({
  documents: [
    ...sampleDocuments(),
    ...HOSTILE.map((value, index) => ({
      ...odd,
      file: `/odd/${index}.nc`,
      rcm_name: [value],
      experiment: [value],
    })),
    ...Array.from({ length: MANY / 100 }, (_, index) => ({
      ...odd,
      file: `/odd/many-${index}.nc`,
      model: many.slice(index * 100, (index + 1) * 100),
    })),
  ],
});
const browsing = useBrowsing(service);

/** What the service says of a search. */
async function found(query: string, flavour = "cmip6"): Promise<number> {
  const path = `${PREFIX}/databrowser/summary/${flavour}/file`;
  const answer = await fetch(`${service.address}${path}?${query}`);
  return ((await answer.json()) as { files: number }).files;
}

const bar = (page: Page): Locator => page.getByRole("region", { name: "Summary" });
const inWords = (count: number): string =>
  `${new Intl.NumberFormat("en").format(count)} ${count === 1 ? "file" : "files"}`;

/** Waits until the bar tells the number that the service has for a search. */
async function expectFound(page: Page, query: string, flavour?: string): Promise<number> {
  const count = await found(query, flavour);
  await bar(page).getByText(inWords(count), { exact: true }).waitFor();
  return count;
}

const facet = (page: Page, name: string): Locator =>
  page.locator("details.facet").filter({ has: page.getByRole("heading", { name, exact: true }) });
const box = (page: Page, name: string, value: string): Locator =>
  facet(page, name)
    .locator(".facet-value")
    .filter({ has: page.getByText(value, { exact: true }) });
const choice = (page: Page, name: string, value: string): Locator =>
  box(page, name, value).getByRole("checkbox");
const searchOf = async (page: Page): Promise<string> => (await addressOf(page)).search;

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/search-${name}.png` });
}

describe("the search", () => {
  it("narrows by choosing and excluding, and its address contains all of it: back, forward, reload, a copy", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6");
    await expectFound(page, "");
    await shot(page, "start");
    await choice(page, "variable_id", "tas").check();
    await expectFound(page, "variable_id=tas");
    // Other values of the facet stay, and are added to it.
    await choice(page, "variable_id", "pr").check();
    await expectFound(page, "variable_id=tas&variable_id=pr");
    await box(page, "experiment_id", "historical").getByRole("button", { name: "Exclude" }).click();
    const narrowed = "variable_id=tas&variable_id=pr&experiment_id_not_=historical";
    const count = await expectFound(page, narrowed);
    expect(await searchOf(page)).toBe(`?flavour=cmip6&${narrowed}`);
    expect(await page.getByText("Near-surface air temperature", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Remove experiment_id: not historical" }).waitFor();
    await expect.poll(() => page.getByRole("status").textContent()).toContain(inWords(count));
    await shot(page, "narrowed");

    await page.goBack();
    await expectFound(page, "variable_id=tas&variable_id=pr");
    expect(await page.getByRole("button", { name: /^Remove experiment_id/ }).count()).toBe(0);
    await page.goForward();
    await expectFound(page, narrowed);
    await page.reload();
    await expectFound(page, narrowed);
    expect(await choice(page, "variable_id", "tas").isChecked()).toBe(true);
    const colleague = await browsing.openPage(await searchOf(page));
    await expectFound(colleague.page, narrowed);
    await colleague.close();

    await page.getByRole("button", { name: "Remove variable_id: pr" }).click();
    await expectFound(page, "variable_id=tas&experiment_id_not_=historical");
    await page.getByRole("button", { name: "Clear all" }).click();
    await expectFound(page, "");
    expect(await searchOf(page)).toBe("?flavour=cmip6");
    await close();
  });

  it("shows for each value what choosing it would give", async () => {
    const chosen = "mip_era=cmip6&experiment_id=historical&variable_id=tas";
    const { page, close } = await browsing.openPage(`?flavour=cmip6&${chosen}`);
    await expectFound(page, chosen);
    for (const [name, value, query] of [
      ["variable_id", "pr", "mip_era=cmip6&experiment_id=historical&variable_id=pr"],
      ["experiment_id", "ssp585", "mip_era=cmip6&experiment_id=ssp585&variable_id=tas"],
      ["source_id", "mpi-esm1-2-lr", `${chosen}&source_id=mpi-esm1-2-lr`],
    ] as const) {
      const told = await box(page, name, value).locator(".facet-count").textContent();
      expect([name, Number(told)]).toEqual([name, await found(query)]);
    }
    await close();
  });

  it("filters a facet of 5,000 values during typing, scrolls it, and accepts the typed text as a pattern", {
    tags: ["slow"],
  }, async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&mip_era=odd");
    const models = facet(page, "source_id");
    await box(page, "source_id", "model-0000").waitFor();
    const list = models.locator(".virtual-list");
    expect(await list.locator("li").count()).toBeLessThan(60);
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await box(page, "source_id", "model-4999").waitFor();
    expect(await list.locator("li").count()).toBeLessThan(60);

    const texts = ["4", "49", "499", "49", "4", "", "model-1"];
    const { idle, typed } = await typing(models.getByRole("searchbox"), texts);
    const median = (times: readonly number[]): number =>
      [...times].sort((a, b) => a - b)[texts.length >> 1] ?? 0;
    expectBelow(median(typed), 6 * Math.max(16, median(idle)), `${typed}; ${idle}`);
    await models.getByText("1,000 of 5,000 values").waitFor();

    await models.getByRole("searchbox").fill("model-49?9");
    await models.getByRole("button", { name: "All model-49?9", exact: true }).click();
    await expectFound(page, "mip_era=odd&source_id=model-49?9");
    expect((await addressOf(page)).searchParams.get("source_id")).toBe("model-49?9");
    await page.getByRole("button", { name: "Remove source_id: model-49?9" }).waitFor();
    await models.getByRole("button", { name: "None of source_id" }).click();
    await expect.poll(() => searchOf(page)).toBe("?flavour=cmip6&mip_era=odd");
    await models.getByRole("searchbox").fill("model-499");
    await models.getByRole("button", { name: "All 10 shown of source_id" }).click();
    await expect
      .poll(async () => (await addressOf(page)).searchParams.getAll("source_id"))
      .toEqual(many.slice(-10));
    await close();
  });

  it("explains an empty result by the choice to drop, with what that gives, and similar values", async () => {
    const wrong = "flavour=cmip6&source_id=MPI-ESM1-2-LR&variable_id=air_temperature";
    const { page, close, go } = await browsing.openPage(`?${wrong}`);
    const panel = page.getByRole("region", { name: "Nothing is found" });
    const near = panel.getByRole("button", { name: /^tas .* instead of air_temperature/ });
    const meant = "source_id=MPI-ESM1-2-LR&variable_id=tas";
    expect(await near.textContent()).toContain(inWords(await found(meant)));
    const drop = panel.getByRole("listitem").filter({ hasText: "Without variable_id" });
    expect(await drop.textContent()).toContain(inWords(await found("source_id=MPI-ESM1-2-LR")));
    await shot(page, "nothing");
    await near.click();
    await expectFound(page, meant);
    await page.goBack();
    await drop.getByRole("button").click();
    await expectFound(page, "source_id=MPI-ESM1-2-LR");
    await panel.waitFor({ state: "detached" });

    // Each of two excludes everything: both are dropped at once.
    await go("?flavour=cmip6&source_id=nothing-like-it&variable_id=neither-this&mip_era=cmip6");
    const together = panel.getByRole("listitem").filter({ hasText: "Without" });
    await together.getByText(inWords(await found("mip_era=cmip6")), { exact: true }).waitFor();
    await together.getByRole("button").click();
    await expectFound(page, "mip_era=cmip6");

    // Something is found, and one value is unknown all the same.
    await go("?flavour=cmip6&variable_id=tas&variable_id=psll");
    await page.getByRole("button", { name: "psl instead of psll" }).click();
    await expectFound(page, "variable_id=tas&variable_id=psl");
    await close();
  });

  it("has the names of each flavour, and keeps the search when it changes", async () => {
    const query = "source_id=MPI-*&variable_id=tas&experiment_id_not_=historical&time=1990 to 2050";
    const { page, close } = await browsing.openPage(`?flavour=cmip6&${query}&multi-version=true`);
    const count = await expectFound(page, `${query}&multi-version=true`);
    await page.getByRole("button", { name: "Remove Period: 1990 to 2050" }).waitFor();
    await page.getByLabel("Vocabulary").selectOption("cmip5");
    await page.getByRole("button", { name: "Remove model_id: MPI-*" }).waitFor();
    const asked = (await addressOf(page)).searchParams;
    expect([...asked.keys()].sort()).toEqual(
      ["experiment_not_", "flavour", "model_id", "multi-version", "time", "variable"].sort(),
    );
    await expectFound(page, asked.toString().replace("flavour=cmip5&", ""), "cmip5");
    await bar(page).getByText(inWords(count), { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "All versions" }).uncheck();
    await expect.poll(() => searchOf(page)).not.toContain("multi-version");
    await close();
  });

  it("treats any value as text, and finds exactly the data that have it", async () => {
    const { page, close, go } = await browsing.openPage("?flavour=cordex&project=odd");
    for (const value of HOSTILE) {
      await choice(page, "experiment", value.toLowerCase()).check();
      await bar(page).getByText("1 file", { exact: true }).waitFor();
      await facet(page, "experiment").getByRole("button", { name: "None of experiment" }).click();
      await expect.poll(() => searchOf(page)).toBe("?flavour=cordex&project=odd");
    }
    await facet(page, "experiment")
      .getByRole("button", { name: `All ${HOSTILE.length} shown` })
      .click();
    await bar(page).getByText(`${HOSTILE.length} files`, { exact: true }).waitFor();
    await page.reload();
    await bar(page).getByText(`${HOSTILE.length} files`, { exact: true }).waitFor();
    for (const value of HOSTILE) {
      expect([value, await choice(page, "experiment", value.toLowerCase()).isChecked()]).toEqual([
        value,
        true,
      ]);
    }
    // What somebody else puts into an address.
    const all = new URLSearchParams(HOSTILE.map((value) => ["experiment", value]));
    await go(`?flavour=cordex&project=odd&${all}&<script>=x&bbox=<b>`);
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByRole("button", { name: /^Remove / }).count()).toBeGreaterThan(8);
    expect(await page.title()).toContain("Search");
    expect(await page.locator("main script, main img").count()).toBe(0);
    await page.getByRole("button", { name: "Remove <script>: x" }).click();
    await page.getByRole("button", { name: "Remove Region: <b>" }).click();
    await page.getByRole("alert").first().waitFor({ state: "detached" });
    await close();
  });

  it("works by keyboard alone", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&mip_era=cmip6");
    await box(page, "variable_id", "tas").waitFor();
    await facet(page, "variable_id").getByRole("searchbox").focus();
    await page.keyboard.type("near-surface air");
    await facet(page, "variable_id").getByText(/^3 of/).waitFor();
    // Over the two buttons to the list.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.closest("li")?.textContent)).toMatch(
      /^tasmax/,
    );
    await page.keyboard.press("Space");
    await expectFound(page, "mip_era=cmip6&variable_id=tasmax");
    await page.getByRole("button", { name: "Remove variable_id: tasmax" }).focus();
    await page.keyboard.press("Enter");
    await expectFound(page, "mip_era=cmip6");
    // The focus is not lost with its button.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Remove mip_era: cmip6",
    );
    await close();
  });

  it("sorts facets as scientists do in every vocabulary, and keeps chosen ones on top", async () => {
    const { page, close, go } = await browsing.openPage("?flavour=cmip6&mip_era=cmip6");
    const names = async () =>
      (await page.locator("details.facet h3").allTextContents()).slice(0, 5).join(" ");
    await box(page, "variable_id", "tas").waitFor();
    expect(await names()).toBe("variable_id experiment_id source_id frequency member_id");
    expect(await facet(page, "institution_id").getAttribute("open")).toBe(null);
    await go("?flavour=cordex&project=cordex");
    await box(page, "variable", "tas").waitFor();
    expect(await names()).toBe("variable experiment model time_frequency ensemble");
    const third = facet(page, "variable").locator(".facet-value").nth(2);
    const value = (await third.locator(".facet-code").textContent()) ?? "";
    await third.getByRole("checkbox").click();
    await expectFound(page, `project=cordex&variable=${value}`, "cordex");
    const first = facet(page, "variable").locator(".facet-value .facet-code").first();
    await expect.poll(() => first.textContent()).toBe(value);
    await close();
  });

  it("leads to the results with one key, and by two links for skipping", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&variable_id=tas");
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      "Skip to the results",
    );
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("results");
    await choice(page, "variable_id", "tas").focus();
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("results");
    // Escape clears the text of a filter first.
    await facet(page, "variable_id").getByRole("searchbox").focus();
    await page.keyboard.type("pr");
    await page.keyboard.press("Escape");
    expect(await facet(page, "variable_id").getByRole("searchbox").inputValue()).toBe("");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("results");
    await close();
  });

  it("folds its facets away on a phone", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&variable_id=tas", {
      width: 390,
      height: 844,
      touch: true,
    });
    await expectFound(page, "variable_id=tas");
    expect(await choice(page, "variable_id", "tas").count()).toBe(0);
    await shot(page, "phone");
    // Nothing lies below the bar with the button at the end of the page.
    const gap = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      const [dock, found] = [".facets-dock", ".search-found"].map((one) =>
        document.querySelector(one),
      );
      const top = dock?.getBoundingClientRect().top ?? 0;
      const ends = [...(found?.querySelectorAll("*") ?? [])]
        .filter((one) => one.getClientRects().length > 0)
        .map((one) => one.getBoundingClientRect().bottom);
      return { gap: top - Math.max(...ends), top };
    });
    expect(gap.top).toBeGreaterThan(700);
    expect(gap.gap).toBeGreaterThanOrEqual(0);
    await page.getByRole("button", { name: "Filter (1 chosen)" }).tap();
    await choice(page, "variable_id", "tas").tap();
    await shot(page, "phone-facets");
    // The sheet says what is found, and leads there.
    await page.getByRole("button", { name: `Show ${inWords(await found(""))}`, exact: true }).tap();
    await facet(page, "variable_id").waitFor({ state: "detached" });
    await expectFound(page, "");
    await close();
  });

  it("is accessible, also if nothing is found", { tags: ["slow"] }, async () => {
    await expectAccessible(
      browsing,
      "?flavour=cmip6&variable_id=tas&experiment_id_not_=ssp585&time=1990",
      async (page) => {
        await bar(page)
          .getByText(/ files?$/)
          .first()
          .waitFor();
        await page.locator(".facet, .facets-button").first().waitFor({ state: "attached" });
        await page.getByText("Show code").waitFor();
      },
    );
    for (const form of [{}, { colour: "dark", width: 320 }] as const) {
      const { page, close } = await browsing.openPage("?flavour=cmip6&variable_id=tass", form);
      await page.getByText(/^Without variable_id/).waitFor();
      await page.getByText("Show code").click();
      expect(await axeViolations(page)).toEqual([]);
      await close();
    }
  });
});
