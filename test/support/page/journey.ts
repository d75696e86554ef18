/**
 * The whole way of a person through the page: by pointer, by keyboard alone, or by role and name only. Every step is held
 * against what the service says of the same address.
 */
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { sampleDocuments } from "../service/sample.js";
import type { TestService } from "../service/service.js";
import { addUser, PASSWORD } from "../service/sign-in.js";
import { useService } from "../service/use-service.js";
import { type Hands, handsOf } from "./hands.js";
import { addressOf, useBrowsing } from "./page.js";
import { accountLink } from "./page-sign-in.js";

/** How many files the search of the page's address finds, as the service says. */
async function found(service: TestService, page: Page): Promise<number> {
  const query = (await addressOf(page)).searchParams;
  const flavour = query.get("flavour") ?? "native";
  query.delete("flavour");
  const answer = await service.get(`/databrowser/metadata-search/${flavour}/file?${query}`);
  return ((await answer.json()) as { total_count: number }).total_count;
}

/** Waits until the page shows that number, and the address what was chosen. */
async function expectFound(
  service: TestService,
  page: Page,
  query: readonly [string, string][],
): Promise<number> {
  const asked = async () =>
    [...(await addressOf(page)).searchParams].filter(([name]) => name !== "flavour");
  await expect.poll(asked).toEqual(query);
  const count = await found(service, page);
  const told = count === 1 ? "1 file" : `${count} files`;
  await page.locator(".summary-bar").getByText(told, { exact: true }).waitFor();
  return count;
}

const facet = (page: Page, name: string): Locator =>
  page.getByRole("group", { name: `Values of ${name}`, exact: true });

const value = (page: Page, name: string, text: string): Locator =>
  facet(page, name).getByRole("checkbox", { name: new RegExp(`^${text}\\b`) });

/** The line that opens a facet which is not asked for first. */
const folded = (page: Page, name: string): Locator =>
  page.locator("summary").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Draws a box, in the way that these hands have. */
async function drawBox(page: Page, hands: Hands): Promise<void> {
  const map = page.getByRole("application", { name: /^Map: a box/ });
  if (hands.by === "pointer") {
    await map.scrollIntoViewIfNeeded();
    const box = await map.boundingBox();
    if (box === null) throw new Error("the map is not to be seen");
    await page.mouse.move(box.x + 0.45 * box.width, box.y + 0.2 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.4 * box.height, { steps: 4 });
    await page.mouse.up();
  } else if (hands.by === "keyboard") {
    await hands.press(map);
  } else {
    for (const [side, degrees] of Object.entries({ West: -10, East: 40, South: 30, North: 70 })) {
      await hands.write(page.getByRole("textbox", { name: side }), String(degrees));
    }
    await page.keyboard.press("Enter");
  }
}

/** From the first page to one's own data. */
async function walk(service: TestService, page: Page, hands: Hands): Promise<void> {
  const { name } = await addUser(service.dataDir);

  // Search, and narrow.
  await hands.choose(page.getByRole("combobox", { name: "Vocabulary" }), "cmip6");
  await expect.poll(async () => (await addressOf(page)).searchParams.get("flavour")).toBe("cmip6");
  await hands.press(folded(page, "activity_id"));
  await hands.press(value(page, "activity_id", "cmip"));
  const many = await expectFound(service, page, [["activity_id", "cmip"]]);
  await hands.press(folded(page, "institution_id"));
  await hands.press(value(page, "institution_id", "mpi-m"));
  await expectFound(service, page, [
    ["activity_id", "cmip"],
    ["institution_id", "mpi-m"],
  ]);
  // What is constant in time would be found in each period.
  await hands.press(value(page, "frequency", "mon"));
  const query: [string, string][] = [
    ["activity_id", "cmip"],
    ["institution_id", "mpi-m"],
    ["frequency", "mon"],
  ];
  const fewer = await expectFound(service, page, query);
  expect(fewer).toBeGreaterThan(0);
  expect(fewer).toBeLessThan(many);

  // Nothing is found, and the page says what to drop.
  await hands.press(page.getByText(/^Period and region/));
  await hands.write(page.getByRole("textbox", { name: "From" }), "3000");
  await page.keyboard.press("Enter");
  expect(await expectFound(service, page, [...query, ["time", "3000 to"]])).toBe(0);
  await hands.press(page.getByRole("button", { name: /^Without (?:Period|time)/ }));
  expect(await expectFound(service, page, query)).toBe(fewer);
  await page.goBack();
  await expectFound(service, page, [...query, ["time", "3000 to"]]);
  await page.goForward();
  await expectFound(service, page, query);

  // A box on the map.
  await drawBox(page, hands);
  await expect.poll(async () => (await addressOf(page)).searchParams.get("bbox")).toMatch(/^-?\d/);
  const box = (await addressOf(page)).searchParams.get("bbox") ?? "";
  expect(await expectFound(service, page, [...query, ["bbox", box]])).toBeGreaterThan(0);

  // The matrix, whose cells lead back to the search.
  await hands.press(page.getByRole("link", { name: "Coverage", exact: true }));
  const table = page.getByRole("table");
  await table.waitFor();
  const cell = table.getByRole("link").first();
  const number = Number((await cell.textContent())?.replaceAll(",", ""));
  await hands.press(cell);
  await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
  await expect.poll(() => found(service, page)).toBe(number);

  // Into the cart, and along as one list.
  const dataset = page.getByRole("table", { name: "Datasets of this search" });
  await hands.press(dataset.getByRole("button", { name: /^Add to cart/ }).first());
  await hands.press(page.getByRole("link", { name: /^Cart/ }));
  await page.getByRole("heading", { level: 1, name: "Cart" }).waitFor();
  const download = page.waitForEvent("download");
  await hands.press(page.getByRole("button", { name: "Download", exact: true }));
  const path = await (await download).path();
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  expect(lines[0]).toMatch(/^\/.*\.nc$/);

  // The same as a script.
  await hands.press(page.getByText("Show code"));
  await hands.press(page.getByRole("button", { name: "Python", exact: true }));
  await expect
    .poll(() => page.locator(".code-lines pre").first().textContent())
    .toContain(`${service.address}${PREFIX}/databrowser/cart/`);

  // A first look, for which one signs in, and is there again.
  await hands.press(page.getByRole("link", { name: "Search", exact: true }));
  await hands.choose(page.getByRole("combobox", { name: "Vocabulary" }), "native");
  await page.goto(`${service.address}/?flavour=native&dataset=sample&variable=tas&project=cmip6`);
  await hands.press(dataset.getByRole("link", { name: /^First look/ }).first());
  await page.getByRole("heading", { level: 1, name: "First look" }).waitFor();
  await hands.press(page.getByRole("button", { name: "Sign in to view data" }));
  await hands.write(page.getByLabel("User name"), name);
  await hands.write(page.getByLabel("Password"), PASSWORD);
  await hands.press(page.getByRole("button", { name: "Sign in" }));
  await accountLink(page, name).waitFor();
  await page.waitForFunction(() => "shownAt" in (document.querySelector(".look-map canvas") ?? {}));
  await hands.press(page.getByRole("button", { name: /: next$/ }).first());
  await expect.poll(async () => (await addressOf(page)).href).toContain("index=");

  // Data of one's own.
  await hands.press(page.getByRole("link", { name: "My data", exact: true }));
  const own = `/home/${name}/run1/tas.nc`;
  await hands.write(
    page.getByLabel("Entries", { exact: true }),
    `file=${own} variable=tas time="1985 to 1989" time_frequency=mon project=mine`,
  );
  await hands.press(page.getByRole("button", { name: "Register", exact: true }));
  await page.getByRole("cell", { name: own, exact: true }).waitFor();
  await hands.press(page.getByRole("button", { name: `Delete the entry of ${own}` }));
  await hands.press(page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }));
  await page.getByText("No entries found.").waitFor();
}

/** Defines the tests of the whole way. */
export function testJourneyBy(...ways: readonly (keyof ReturnType<typeof handsOf>)[]): void {
  describe("the whole way, from a first search to data of one's own", () => {
    const place = (file: string) => (isAbsolute(file) ? file : join(packagePath("data"), file));
    const documents = sampleDocuments().map((one) => ({ ...one, file: place(one.file) }));
    const service = useService({ dataRoots: [packagePath("data")], documents });
    const browsing = useBrowsing(service);

    it.each(ways)(
      "works by %s",
      async (by) => {
        const { page, close } = await browsing.openPage("", { height: 900 });
        await walk(service, page, handsOf(page)[by]);
        await close();
      },
      300_000,
    );
  });
}
