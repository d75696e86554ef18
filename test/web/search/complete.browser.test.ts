/** The builder of complete groups in a real browser: its address is the operation's, and so is what it shows. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { useService } from "../../support/service/use-service.js";

const service = useService({ documents: documents() });
const browsing = useBrowsing(service);

/** Three models: one has all, one a gap of five years, one no land. */
function documents() {
  const file = (model: string, variable: string, first: number, last: number) => ({
    file: `/data/${model}/${variable}/${first}.nc`,
    project: ["CMIP6"],
    model: [model],
    variable: [variable],
    experiment: ["historical"],
    ensemble: ["r1"],
    time_frequency: ["mon"],
    time: `[${first}-01-01T00:00:00Z TO ${last}-12-31T23:59:59Z]`,
  });
  return [
    file("whole", "tas", 1980, 1999),
    file("whole", "a;b:c", 1980, 1999),
    file("gappy", "tas", 1980, 1984),
    file("gappy", "tas", 1990, 1999),
    file("gappy", "a;b:c", 1980, 1999),
    file("bare", "tas", 1980, 1999),
  ];
}

const ownQuery = async (page: Page): Promise<[string, string][]> =>
  [...(await addressOf(page)).searchParams].filter(([name]) => name !== "flavour");

async function expectQuery(page: Page, expected: [string, string][]): Promise<void> {
  await expect.poll(() => ownQuery(page)).toEqual(expected);
}

const TAS = "variable_id:tas;from=1980;to=1999";
const ODD = "variable_id:a\\;b\\:c;on=source_id";

describe("the builder of complete groups", () => {
  it("makes the operation's parameters of the filled-in fields, and shows its answer", async () => {
    const { page, close } = await browsing.openPage("complete?flavour=cmip6");
    // It starts with a question that has an answer here.
    await page.getByText("An example from this archive.").waitFor();
    await page.getByRole("main").getByText("2 of 3 groups are complete.").waitFor();
    await page.getByText("nothing of experiment_id historical, variable_id a;b:c").waitFor();
    await page.getByRole("button", { name: "Start empty" }).click();
    await page.getByRole("main").getByText("Choose at least one facet").waitFor();
    await page.getByRole("button", { name: "Edit each requirement by itself" }).click();
    const groupBy = page.getByRole("group", { name: "Group files by" });
    expect(await groupBy.getByRole("checkbox", { name: "source_id" }).isChecked()).toBe(true);
    await groupBy.getByRole("checkbox", { name: "member_id" }).check();
    const first = page.getByRole("group", { name: "Requirement 1" });
    await first.getByLabel("Facet").selectOption("variable_id");
    await first.getByLabel("Value").focus();
    await expect
      .poll(() =>
        first
          .locator("datalist option")
          .evaluateAll((all) => all.map((one) => one.getAttribute("value"))),
      )
      .toEqual(["tas", "a;b:c"]);
    await first.getByLabel("Value").fill("tas");
    await first.getByLabel("From").fill("1980");
    await first.getByLabel("To", { exact: true }).fill("1999");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByText("2 of 3 groups are complete.").waitFor();
    await page.getByRole("button", { name: "Add a requirement" }).click();
    const second = page.getByRole("group", { name: "Requirement 2" });
    await second.getByLabel("Facet").selectOption("variable_id");
    await second.getByLabel("Value").fill("a;b:c");
    await page.keyboard.press("Enter");
    await second.getByRole("checkbox", { name: "source_id" }).check();
    await page.getByRole("main").getByText("1 of 3 groups are complete.").waitFor();
    await expectQuery(page, [
      ["group_by", "source_id,member_id"],
      ["need", TAS],
      ["need", ODD],
    ]);
    await expectAnswer(page);

    await page.reload();
    await expectAnswer(page);
    expect(await first.getByLabel("From").inputValue()).toBe("1980");
    await second.getByRole("button", { name: "Remove requirement 2" }).click();
    await page.getByRole("main").getByText("2 of 3 groups are complete.").waitFor();
    await page.goBack();
    await expectAnswer(page);
    expect(await second.getByLabel("Value").inputValue()).toBe("a;b:c");

    await page.getByRole("button", { name: "Add 1 group to cart" }).click();
    await page.getByRole("button", { name: "In the cart: 1 group" }).waitFor();
    await page.getByRole("link", { name: "whole" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    await expectQuery(page, [
      ["source_id", "whole"],
      ["member_id", "r1"],
    ]);
    await page.getByRole("link", { name: /^Cart/ }).click();
    await page.getByText("source_id=whole, member_id=r1").first().waitFor();
    await close();
  });

  it("has a requirement for each combination of the ticked values", async () => {
    const { page, close } = await browsing.openPage("complete?flavour=cmip6&group_by=source_id");
    const values = (facet: string) => page.getByRole("group", { name: new RegExp(`^${facet}`) });
    await values("variable_id").getByRole("checkbox", { name: "tas" }).check();
    await page.getByRole("main").getByText("3 of 3 groups are complete.").waitFor();
    await values("variable_id").getByRole("checkbox", { name: "a;b:c" }).check();
    await values("experiment_id").getByRole("checkbox", { name: "historical" }).check();
    await page.getByRole("main").getByText("2 of 3 groups are complete.").waitFor();
    await values("Period").getByLabel("From").fill("1980");
    await page.keyboard.press("Tab");
    await page.keyboard.type("1999");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByText("1 of 3 groups are complete.").waitFor();
    const all = (value: string) => `variable_id:${value};experiment_id:historical`;
    await expectQuery(page, [
      ["group_by", "source_id"],
      ["need", `${all("tas")};from=1980;to=1999`],
      ["need", `${all("a\\;b\\:c")};from=1980;to=1999`],
    ]);
    // Any facet, and any value by typing.
    await page.getByLabel("Another facet").selectOption("member_id");
    await values("member_id").getByRole("checkbox", { name: "r1" }).check();
    await expect.poll(async () => (await addressOf(page)).href).toContain("member_id%3Ar1");
    await values("variable_id").getByRole("checkbox", { name: "tas" }).uncheck();
    await page.getByRole("main").getByText("2 of 2 groups are complete.").waitFor();
    // What is no such set of combinations stays as it is, each by itself.
    await page.getByRole("button", { name: "Edit each requirement by itself" }).click();
    await page.getByRole("button", { name: "Add a requirement" }).click();
    const second = page.getByRole("group", { name: "Requirement 2" });
    await second.getByLabel("Facet").selectOption("variable_id");
    await second.getByRole("button", { name: "tas" }).click();
    await expect
      .poll(async () => (await ownQuery(page)).at(-1))
      .toEqual(["need", "variable_id:tas"]);
    expect(await page.getByRole("button", { name: "Edit as combinations" }).count()).toBe(0);
    await second.getByRole("button", { name: "Remove requirement 2" }).click();
    await page.getByRole("button", { name: "Edit as combinations" }).click();
    expect(await values("variable_id").getByRole("checkbox", { name: "a;b:c" }).isChecked()).toBe(
      true,
    );
    await close();
  });

  it("takes over the meaning of require_all_on, and reports an invalid need", async () => {
    const search = "flavour=cmip6&variable_id=tas&variable_id=a;b:c";
    const { page, go, close } = await browsing.openPage(
      `complete?${search}&require_all_on=source_id`,
    );
    await page.getByRole("main").getByText("2 of 3 groups are complete.").waitFor();
    await page.getByRole("button", { name: "Edit as requirements" }).click();
    await page.getByRole("button", { name: "Edit each requirement by itself" }).click();
    await page.getByRole("group", { name: "Requirement 2" }).waitFor();
    await page.getByRole("main").getByText("2 of 3 groups are complete.").waitFor();
    expect((await ownQuery(page)).filter(([name]) => name === "need")).toHaveLength(2);

    await go("complete?flavour=cmip6&group_by=source_id&need=variable_id:t*");
    await page
      .getByRole("main")
      .getByText(/cannot edit this requirement.*variable_id:t\*/)
      .waitFor();
    await page
      .getByRole("alert")
      .getByText(/wildcard/)
      .first()
      .waitFor();
    await close();
  });

  it("has no fault for axe", { tags: ["slow"] }, async () => {
    const needs = `need=${TAS}&need=${encodeURIComponent(ODD)}`;
    await expectAccessible(
      browsing,
      `complete?flavour=cmip6&group_by=source_id,member_id&${needs}`,
      (page) => page.getByRole("main").getByText("1 of 3 groups are complete.").waitFor(),
    );
  });
});

/** The page shows what the operation answers to its address, and its list has the files of these groups. */
async function expectAnswer(page: Page): Promise<void> {
  const query = new URLSearchParams(await ownQuery(page));
  const answer = await service.get(`/databrowser/complete/cmip6?${query}`);
  const told = (await answer.json()) as { complete_count: number; group_count: number };
  await page
    .getByRole("main")
    .getByText(`${told.complete_count} of ${told.group_count} groups`)
    .waitFor();
  const near = page.getByRole("group", { name: "Near misses" }).getByRole("row");
  await near.getByText("variable_id tas: gaps 1985 to 1989").waitFor();
  await near.getByText("variable_id a;b:c (with the same source_id)").waitFor();
  const arrives = page.waitForEvent("download");
  await page.getByRole("link", { name: "Path list" }).click();
  const paths = await readFile(await (await arrives).path(), "utf8");
  expect(paths.trim().split("\n").sort()).toEqual([
    "/data/whole/a;b:c/1980.nc",
    "/data/whole/tas/1980.nc",
  ]);
}
