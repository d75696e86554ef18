/** The matrix of coverage in a real browser: it shows what the operation answers, and leads to it. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { useService } from "../../support/service/use-service.js";

/** Values of each of two facets, so many that no page has room for all cells. */
const MANY = 500;

const service = useService(() => ({ documents: [...few(), ...many()] }));
const browsing = useBrowsing(service);

const file = (name: string, rest: object) => ({ file: `/data/${name}.nc`, ...rest });

/** Names that mean something else to a filter, or to HTML, beside plain ones. */
function few() {
  const pairs = [
    ["ESM-1", "historical", 3, 1850],
    ["ESM-1", "ssp585", 1, 2015],
    ["a*b & <b>?", "historical", 2, 1950],
    ["-odd", "ssp585", 1, 2015],
  ] as const;
  return pairs.flatMap(([model, experiment, count, year]) =>
    Array.from({ length: count }, (_, n) =>
      file(`${model} ${experiment} ${n}`, {
        project: ["few"],
        model: [model],
        experiment: [experiment],
        ensemble: [`r${n}`],
        variable: ["tas"],
        size: 1500,
        time: `[${year + 10 * n}-01-01T00:00:00Z TO ${year + 10 * n + 9}-12-31T23:59:59Z]`,
      }),
    ),
  );
}

/** A file in each row and each column, on a diagonal; all together have more than a million cells. */
const many = () =>
  Array.from({ length: 2 * MANY + 1 }, (_, n) => {
    const number = String(n).padStart(3, "0");
    return file(`many ${number}`, {
      project: [n < MANY ? "many" : "more"],
      model: [`model-${number}`],
      experiment: [`run-${number}`],
    });
  });

/** The cells that are to be seen, by their names. */
const cellNames = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole("table")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("aria-label")));

/** The name of the cell that has the focus. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest("td a")?.getAttribute("aria-label") ?? null);

async function totalOf(page: Page): Promise<number> {
  const query = (await addressOf(page)).searchParams;
  query.delete("flavour");
  const answer = await service.get(`/databrowser/metadata-search/cmip6/file?${query}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { total_count: number }).total_count;
}

describe("the matrix of coverage", () => {
  it("shows what the operation answers, whose cells lead to their files", async () => {
    const { page, close } = await browsing.openPage("coverage?flavour=cmip6&mip_era=few");
    await page.getByRole("main").getByText("3 rows, 2 columns, 4 cells of 7 files").waitFor();
    const asked = "rows=source_id&columns=experiment_id";
    expect((await addressOf(page)).href).toBe(
      `${service.address}/coverage?flavour=cmip6&mip_era=few&${asked}`,
    );
    expect(await cellNames(page)).toEqual([
      "esm-1, historical: 3 files",
      "esm-1, ssp585: 1 file",
      "a*b & <b>?, historical: 2 files",
      "-odd, ssp585: 1 file",
    ]);
    expect(await page.getByRole("row", { name: /^Sum/ }).innerText()).toMatch(/7\s+5\s+2/);
    await page.getByLabel("Filter rows (source_id)").fill("odd");
    await expect.poll(() => cellNames(page)).toEqual(["-odd, ssp585: 1 file"]);
    await page.getByLabel("Filter rows (source_id)").fill("");
    await page.waitForURL((url) => !url.searchParams.has("rows_like"));
    for (const [name, files] of [
      ["a*b & <b>?, historical: 2 files", 2],
      ["-odd, ssp585: 1 file", 1],
      ["esm-1, historical: 3 files", 3],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
      expect(await totalOf(page)).toBe(files);
      await page.goBack();
      await page.getByRole("table").waitFor();
    }

    await page.getByLabel("Numbers").selectOption("years");
    await page.getByRole("link", { name: "esm-1, historical: 30 years" }).waitFor();
    await page.getByRole("button", { name: "Swap rows and columns" }).click();
    await page.getByRole("main").getByText("2 rows, 3 columns").waitFor();
    const turned = "rows=experiment_id&columns=source_id&cells=years";
    expect((await addressOf(page)).href).toBe(
      `${service.address}/coverage?flavour=cmip6&mip_era=few&${turned}`,
    );
    await page.reload();
    await page.getByRole("main").getByText("2 rows, 3 columns").waitFor();
    const arrives = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as CSV" }).click();
    const path = await (await arrives).path();
    const answer = await service.get(
      `/databrowser/coverage/cmip6?mip_era=few&${turned}&format=csv`,
    );
    expect(await readFile(path, "utf8")).toBe(await answer.text());
    await close();
  });

  it("draws only the visible part of a large one, and its heads stay", async () => {
    const address = "coverage?flavour=cmip6&mip_era=many&rows=source_id&columns=experiment_id";
    const { page, close } = await browsing.openPage(address);
    await page.getByRole("main").getByText(`${MANY} rows, ${MANY} columns`).waitFor();
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("62");
    await page
      .getByRole("button", { name: "Show 440 more of source_id and 460 more of experiment_id" })
      .click();
    await page.waitForURL(/unfolded=1/);
    const matrix = page.getByRole("group", { name: "source_id by experiment_id" });
    expect(await page.getByRole("cell").count()).toBeLessThan(3000);
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe(String(MANY + 2));
    await matrix.evaluate((box) => box.scrollTo(box.scrollWidth / 2, box.scrollHeight / 2));
    await page.getByRole("link", { name: "model-250, run-250: 1 file" }).waitFor();
    const [outer, head] = await Promise.all([
      matrix.boundingBox(),
      page.getByRole("columnheader", { name: "run-250" }).boundingBox(),
    ]);
    expect(head?.y).toBeCloseTo(outer?.y ?? Number.NaN, -1);
    await page.getByRole("link", { name: "model-250, run-250: 1 file" }).focus();
    for (let n = 0; n < 20; n++) await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toBe("model-270, run-270: 1 file");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(page)).toBe("model-269, run-269: 1 file");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBeNull();
    await matrix.evaluate((box) => box.scrollTo(box.scrollWidth, box.scrollHeight));
    await page.getByRole("link", { name: "model-499, run-499: 1 file" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect(await totalOf(page)).toBe(1);
    await close();
  });

  it("starts with the largest project, whose cells lead to its files", async () => {
    const { page, close } = await browsing.openPage("coverage?flavour=cmip6");
    const project = page.getByRole("combobox", { name: "mip_era", exact: true });
    await project.waitFor();
    await expect.poll(() => project.inputValue()).toBe("more");
    await project.selectOption("few (7 files)");
    await page.getByRole("link", { name: "a*b & <b>?, historical: 2 files" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect((await addressOf(page)).searchParams.get("mip_era")).toBe("few");
    expect(await totalOf(page)).toBe(2);
    await close();
  });

  it("explains what to do if it is too large, if a name is wrong, and if nothing is found", async () => {
    const wrong = "coverage?flavour=cmip6&rows=nothing&columns=experiment_id";
    const { page, go, close } = await browsing.openPage(wrong);
    await page
      .getByRole("alert")
      .getByText(/"nothing" is not a facet of cmip6/)
      .first()
      .waitFor();
    await page.getByLabel("Rows").selectOption("source_id");
    await page
      .getByRole("main")
      .getByText(/Choose facets with fewer values/)
      .waitFor();
    await page.getByLabel("Columns").selectOption("mip_era");
    await page.getByRole("table").waitFor();
    await go("coverage?flavour=cmip6&mip_era=none&rows=source_id&columns=experiment_id");
    await page.getByRole("main").getByText("Nothing is found.").waitFor();
    await close();
  });

  it("has no fault for axe", { tags: ["slow"] }, async () => {
    await expectAccessible(browsing, "coverage?flavour=cmip6&mip_era=few", (page) =>
      page.getByRole("table").waitFor(),
    );
  });
});
