/** The datasets of a search, as people see them: bars on one axis, the same as text, files on demand. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { freshFolder } from "../../support/run/folders.js";
import type { TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const POOL = freshFolder();
const HOSTILE = '<img src=x onerror="document.title=1">';
const years = (first: number, last: number): string =>
  `[${first}-01-01T00:00:00Z TO ${last}-12-31T23:59:59Z]`;

const dataset = (model: string, periods: readonly string[], more: Partial<TestDocument> = {}) =>
  periods.map(
    (time, index): TestDocument => ({
      project: ["CMIP6"],
      product: ["CMIP"],
      institute: ["X"],
      experiment: ["historical"],
      model: [model],
      ensemble: ["r1i1p1f1"],
      cmor_table: ["Amon"],
      variable: ["tas"],
      time_frequency: ["mon"],
      grid_label: ["gn"],
      version: "v20200101",
      size: 1_000_000,
      time,
      file: `${POOL}/${model}/v20200101/tas_${index}.nc`,
      ...more,
    }),
  );

const DOCUMENTS: readonly TestDocument[] = [
  ...dataset("gap", [years(1850, 1899), years(1920, 2014)]),
  ...dataset("overlap", [years(1900, 1950), years(1940, 1999)]),
  ...dataset("withdrawn", [years(1900, 1999)], { retracted: true }),
  ...dataset("tape", [years(1980, 1989), years(1990, 1999)], { fs_type: "hsm" }),
  ...dataset("constant", ["fx"]),
  ...dataset(HOSTILE, [years(2000, 2009)], { file: `${POOL}/odd/${HOSTILE}.nc` }),
  ...dataset(
    "many",
    Array.from({ length: 120 }, (_, index) => years(1850 + index, 1850 + index)),
  ),
  { file: "/loose/a.nc" },
  ...Array.from({ length: 130 }, (_, index) =>
    dataset(`z${String(index).padStart(3, "0")}`, [years(1990, 1999)], {
      experiment: ["ssp585"],
      file: `${POOL}/z/${index}.nc`,
    }),
  ).flat(),
];

const service = useService({ dataRoots: [POOL], documents: DOCUMENTS });
beforeAll(async () => {
  for (const model of ["gap", "tape", "many"]) {
    await mkdir(join(POOL, model, "v20200101"), { recursive: true });
    await writeFile(join(POOL, model, "v20200101", "tas_0.nc"), "");
  }
});
const browsing = useBrowsing(service);

const rowOf = (page: Page, name: string | RegExp) =>
  page.getByRole("table", { name: "Datasets of this search" }).getByRole("row", { name });
const FEW = `?flavour=cmip6&file_not_=${POOL}/z/*`;
const ready = (page: Page) => rowOf(page, /CMIP\.X\.gap\./).waitFor();

/** The years over the bars are these, from its begin to its end, and none lies over another. */
async function expectYears(page: Page, expected: readonly string[]): Promise<void> {
  const axis = page.locator(".time-axis");
  const boxes = await axis.locator("span:visible").evaluateAll((all) =>
    all.map((one) => {
      const { left, right } = one.getBoundingClientRect();
      return { text: one.textContent, left, right };
    }),
  );
  expect(boxes.map(({ text }) => text)).toEqual(expected);
  const { x = 0, width = 0 } = (await axis.boundingBox()) ?? {};
  for (const [at, { left, right }] of boxes.entries()) {
    expect(left).toBeGreaterThanOrEqual(at === 0 ? x - 1 : (boxes[at - 1]?.right ?? 0));
    expect(right).toBeLessThanOrEqual(x + width + 1);
  }
}

describe("results by dataset", () => {
  it("have the description of each bar", async () => {
    const { page, close } = await browsing.openPage(FEW);
    await ready(page);
    const text = async (model: string): Promise<string> =>
      rowOf(page, new RegExp(`X\\.${model}\\.`)).innerText();
    expect(await text("gap")).toContain("1850 to 2014");
    expect(await text("gap")).toContain("1 gap: 1900 to 1919");
    expect(await text("overlap")).toContain("1 overlap: 1940 to 1950");
    expect(await text("withdrawn")).toContain("Retracted");
    expect(await text("tape")).toContain("On tape");
    // Nothing on tape can be looked at.
    const looks = (model: string) =>
      rowOf(page, new RegExp(`X\\.${model}\\.`))
        .getByRole("link", { name: /^First look/ })
        .count();
    // On a tape, on the disk, and not where the index says.
    expect([await looks("tape"), await looks("gap"), await looks("overlap")]).toEqual([0, 1, 0]);
    expect(await text("tape")).toContain("2 files");
    expect(await text("constant")).toContain("constant in time");
    expect(await text("many")).toContain("1850 to 1969");
    expect(
      await rowOf(page, /X\.withdrawn\./)
        .locator("s")
        .count(),
    ).toBe(1);
    expect(await rowOf(page, HOSTILE).count()).toBe(1);
    // On the one axis what covers half as long is half as wide.
    const width = async (model: string): Promise<number> =>
      (
        await rowOf(page, new RegExp(`X\\.${model}\\.`))
          .locator(".time-covered")
          .first()
          .boundingBox()
      )?.width ?? 0;
    expect((await width("withdrawn")) / (await width("many"))).toBeCloseTo(100 / 120, 1);
    await close();
  });

  it("show files of a dataset on demand, page by page, and lead to a first look and to the cart", async () => {
    const { page, close } = await browsing.openPage(FEW);
    await ready(page);
    const name = "CMIP6.CMIP.X.many.historical.r1i1p1f1.Amon.tas.gn";
    await page.getByRole("button", { name: `files of ${name}` }).click();
    const files = page
      .getByRole("table")
      .filter({ hasText: `${POOL}/many/v20200101` })
      .last();
    await page.getByText("50 of 120 files shown").waitFor();
    for (const shown of [100, 120]) {
      await page.getByRole("button", { name: "Show more files" }).click();
      await page.getByText(`${shown} of 120 files shown`).waitFor();
    }
    expect(await files.getByRole("row").count()).toBe(121);
    await page.reload();
    await page.getByText("50 of 120 files shown").waitFor();
    // As many are shown when the search changes and the dataset remains, and then more.
    await page.getByRole("button", { name: "Show more files" }).click();
    await page.getByText("100 of 120 files shown").waitFor();
    const changed = page.waitForResponse(/extended-search.*variable_id=tas.*after=/);
    await page.evaluate(() => {
      history.pushState(null, "", `${location.href}&variable_id=tas`);
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await changed;
    await page.getByText("100 of 120 files shown").waitFor();
    await page.getByRole("button", { name: "Show more files" }).click();
    await page.getByText("120 of 120 files shown").waitFor();
    expect(await files.getByRole("row").count()).toBe(121);
    await page.getByRole("button", { name: `Add to cart: ${name}` }).click();
    await page.getByRole("button", { name: `In the cart: ${name}` }).waitFor();
    const look = page.getByRole("link", { name: `First look at ${name}` });
    const address = new URL((await look.getAttribute("href")) ?? "", (await addressOf(page)).href);
    expect(address.searchParams.get("look_file")).toBe(`${POOL}/many/v20200101/tas_0.nc`);
    await close();
  });

  it("are described in words, sorted as chosen, in rows of two heights, and so after a reload", async () => {
    const { page, close } = await browsing.openPage(`${FEW}&filter=source_id=m*`);
    const row = rowOf(page, /X\.many\./);
    await row.waitFor();
    await expect.poll(() => row.innerText()).toContain("Near-surface air temperature");
    for (const said of ["many · historical", "Monthly · r1i1p1f1", "120 MB"]) {
      expect(await row.innerText()).toContain(said);
    }
    await page.goto(`${(await addressOf(page)).href.replace(/&filter=.*/, "")}`);
    await ready(page);
    const names = async () =>
      (await page.locator(".dataset-name").allInnerTexts()).map((name) => name.split(".")[3]);
    expect((await names()).slice(0, 2)).toEqual([HOSTILE.split(".")[0], "constant"]);
    await page.getByLabel("Sort by").selectOption("Size");
    await expect.poll(async () => (await names())[0]).toBe("many");
    await page.getByLabel("Sort by").selectOption("Start of period");
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(["gap", "many"]);
    const tall = (await row.boundingBox())?.height ?? 0;
    await expectYears(page, ["1850", "1900", "1950", "2000"]);
    await page.getByRole("button", { name: "Compact" }).click();
    await page.waitForURL(/density=compact/);
    await expectYears(page, ["1850", "1950"]);
    // Two rows of a model and experiment are told apart.
    expect(await row.getByText("Monthly · r1i1p1f1").isVisible()).toBe(true);
    expect((await row.boundingBox())?.height).toBeLessThan(Math.min(tall, 36));
    await page.reload();
    await ready(page);
    expect((await names()).slice(0, 2)).toEqual(["gap", "many"]);
    expect(await page.getByRole("button", { name: "Compact" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    await close();
  });

  it("have fourteen rows on the screen of a laptop, and the marks of a row cover no text", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&mip_era=cmip6&variable_id=tas");
    await ready(page);
    const rows = await page
      .locator(".dataset")
      .evaluateAll((all) =>
        all
          .map((one) => one.getBoundingClientRect())
          .filter(({ bottom }) => bottom <= innerHeight + 1),
      );
    expect(rows.length).toBeGreaterThanOrEqual(14);
    for (const density of ["Comfortable", "Compact"]) {
      await page.getByRole("button", { name: density }).click();
      const [mark, title] = ["tape", "tape"].map((model, at) =>
        rowOf(page, new RegExp(`X\\.${model}\\.`)).locator(at === 0 ? ".far" : ".dataset-title"),
      );
      const [a, b] = [await mark?.boundingBox(), await title?.boundingBox()];
      const isApart =
        (a?.x ?? 0) >= (b?.x ?? 0) + (b?.width ?? 0) || (a?.y ?? 0) >= (b?.y ?? 0) + 15;
      expect([density, isApart]).toEqual([density, true]);
    }
    await close();
  });

  it("come page by page, keep the focus, and are the same after a reload", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6");
    const rows = rowOf(page, /CMIP6\.CMIP\.X/);
    await page.getByText("50 of 138 datasets shown").waitFor();
    for (const shown of [100, 138]) {
      const more = page.getByRole("button", { name: /^Show \d+ more$/ });
      await more.focus();
      const last = rows.last();
      const inSight = page.getByText((await last.locator(".dataset-name").innerText()).trim());
      const top = async () => Math.round((await inSight.first().boundingBox())?.y ?? 0);
      const before = await top();
      await page.keyboard.press("Enter");
      await page.getByText(`${shown} of 138 datasets shown`).first().waitFor();
      if (shown < 138)
        expect(await more.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(Math.abs((await top()) - before)).toBeLessThan(3);
    }
    expect(await rows.count()).toBe(137);
    await rowOf(page, /Files without a dataset/).waitFor();
    await page.reload();
    await page.getByText("138 of 138 datasets shown").waitFor();
    expect(await rows.count()).toBe(137);
    await close();
  });

  it("have no fault for axe, at any width and in light and dark", {
    tags: ["slow"],
  }, async () => {
    await expectAccessible(browsing, FEW, async (page) => {
      await ready(page);
      await page.getByRole("button", { name: /files of .*X\.gap\./ }).click();
      await page.getByText("2 of 2 files shown").waitFor();
    });
  });
});
