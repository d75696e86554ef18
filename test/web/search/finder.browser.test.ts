/** The search box of every view, and the first screen. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeViolations } from "../../support/page/axe.js";
import { addressOf, useBrowsing } from "../../support/page/page.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { useService } from "../../support/service/use-service.js";

const service = useService({
  documents: [
    ...sampleDocuments(),
    // The variable of most files has a code without a name.
    ...Array.from({ length: 300 }, (_, index) => ({
      file: `/synthetic/${index}.nc`,
      project: ["cmip6"],
      variable: ["var000"],
    })),
  ],
});
const browsing = useBrowsing(service);

const box = (page: Page) => page.getByRole("combobox", { name: "Search the archive" });
const options = (page: Page) =>
  page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
const searched = async (page: Page): Promise<string[]> =>
  [...(await addressOf(page)).searchParams]
    .filter(([name]) => name !== "flavour")
    .map(([name, value]) => `${name}=${value}`);

describe("the search box", () => {
  it("accepts the typed text with one Enter, before or after the suggestions are there", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6");
    await box(page).fill("tas historical MPI 1990-2000 Europe");
    await options(page).first().getByText("Take all").waitFor();
    const told = await options(page).first().locator(".finder-count").textContent();
    await page.keyboard.press("Enter");
    const wanted = [
      "variable_id=tas",
      "experiment_id=historical",
      "institution_id=mpi-m",
      "time=1990 to 2000",
      "bbox=-25,45,34,72",
    ];
    await expect.poll(() => searched(page)).toEqual(wanted);
    await page
      .getByRole("region", { name: "Summary" })
      .getByText(told ?? "", { exact: true })
      .waitFor();
    expect(await box(page).inputValue()).toBe("");
    await page.goBack();
    await expect.poll(() => searched(page)).toEqual([]);

    await box(page).pressSequentially("pr ssp585");
    await page.keyboard.press("Enter");
    await expect.poll(() => searched(page)).toEqual(["variable_id=pr", "experiment_id=ssp585"]);
    await close();
  });

  it("works by keyboard, reports what it does not understand, and keeps that for correction", async () => {
    const { page, close } = await browsing.openPage("coverage?flavour=cmip6");
    await page.getByRole("heading", { level: 1, name: "Coverage" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("temperature");
    await page.getByText("“temperature”").waitFor();
    await page.keyboard.press("ArrowDown");
    const second = (await options(page).nth(1).locator("strong").textContent()) ?? "";
    expect(await options(page).nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await box(page).getAttribute("aria-activedescendant")).toBe(
      await options(page).nth(1).getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    await expect.poll(() => searched(page)).toContain(`variable_id=${second}`);
    expect((await addressOf(page)).pathname).toBe("/coverage");

    await box(page).fill("historical qqqqq");
    await page.getByText("Not understood: “qqqqq”").waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => searched(page)).toContain("experiment_id=historical");
    expect(await box(page).inputValue()).toBe("qqqqq");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing here is called “qqqqq”.").first().waitFor();
    await close();
  });

  it("excludes what is typed with a minus, and shows it as excluded", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6");
    await box(page).fill("tas -historical");
    await options(page).first().getByText("not historical").waitFor();
    await page.keyboard.press("Enter");
    const wanted = ["variable_id=tas", "experiment_id_not_=historical"];
    await expect.poll(() => searched(page)).toEqual(wanted);
    await page.getByRole("button", { name: "not historical" }).first().waitFor();
    await close();
  });

  it("leads from any view to the results, by touch as well", async () => {
    const { page, close } = await browsing.openPage("cart", {
      width: 390,
      height: 844,
      touch: true,
    });
    await box(page).tap();
    await box(page).fill("historicl");
    await options(page).filter({ hasText: "similar" }).first().tap();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect(await searched(page)).toEqual(["experiment_id=historical"]);
    // The navigation is behind its button.
    const coverage = page.getByRole("link", { name: "Coverage", exact: true });
    expect(await coverage.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).tap();
    await coverage.tap();
    await page.getByRole("heading", { level: 1, name: "Coverage" }).waitFor();
    expect(await coverage.isVisible()).toBe(false);
    await close();
  });

  it("is accessible with its list open", async () => {
    for (const form of [{}, { colour: "dark", width: 320 }] as const) {
      const { page, close } = await browsing.openPage("?flavour=cmip6&variable_id=tas", form);
      await box(page).fill("historical 1990 qqqqq");
      await page.getByText("Not understood: “qqqqq”").waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await close();
    }
  });
});

describe("the first screen", () => {
  it("has the archive's own numbers, a tile for each project, and three searches with results", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6");
    const start = page.getByRole("region", { name: "About this archive" });
    const total = await page
      .getByRole("region", { name: "Summary" })
      .locator("strong")
      .textContent();
    await start.getByText(`${total} of CMIP6`).waitFor();
    await start.getByRole("img", { name: /^Files by year: CMIP6 / }).waitFor();
    expect(
      await start.getByRole("list", { name: "Projects" }).getByRole("link").count(),
    ).toBeGreaterThan(3);
    const examples = start.locator(".start-example");
    expect(await examples.count()).toBe(3);
    expect((await examples.allTextContents()).join()).not.toContain("var000");
    expect(await axeViolations(page)).toEqual([]);
    const told = await examples.first().locator("small").textContent();
    await examples.first().click();
    await page
      .getByRole("region", { name: "Summary" })
      .getByText(told ?? "", { exact: true })
      .waitFor();
    // It goes when something is searched, and the name of the page brings it back.
    expect(await start.count()).toBe(0);
    await page.getByRole("link", { name: "Climate data browser" }).click();
    await start.getByRole("button", { name: "Hide: about this archive" }).click();
    await start.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: "About this archive" }).click();
    await start.waitFor();
    await close();
  });
});
