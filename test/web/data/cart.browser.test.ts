/** The cart: kept in the browser, followed from tab to tab, and taken along by one request. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { holdRequests } from "../../support/page/hold-requests.js";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const KEPT_AS = "climate-nextgen-cart /";
const DATASET = "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn";
const ITEMS = [
  {
    kind: "dataset",
    flavour: "cmip6",
    title: DATASET,
    files: 4,
    bytes: 336_088,
    pairs: [
      ["dataset_id", DATASET],
      ["version", "v20190710"],
      ["multi-version", "true"],
    ],
  },
  {
    kind: "search",
    flavour: "cmip6",
    title: "Precipitation of one model",
    pairs: [
      ["variable_id", "pr"],
      ["source_id", "MPI-ESM1-2-LR"],
      ["time", "1985 to 1994"],
    ],
  },
  {
    kind: "search",
    flavour: "native",
    title: "<img src=x onerror=alert(1)>",
    pairs: [["variable", "nothing-has-this"]],
  },
];
const MIXED = "CMIP6.CMIP.X.mixed.amip.r1i1p1f1.Amon.tas.gn";

/** Two files of a version, and one without a version. */
const mixed = () =>
  (
    [
      [1980, "v2"],
      [1990, "v2"],
      [1990, undefined],
    ] as const
  ).map(([year, version], index) => ({
    project: ["CMIP6"],
    product: ["CMIP"],
    institute: ["X"],
    experiment: ["amip"],
    model: ["mixed"],
    ensemble: ["r1i1p1f1"],
    cmor_table: ["Amon"],
    variable: ["tas"],
    time_frequency: ["mon"],
    grid_label: ["gn"],
    ...(version !== undefined && { version }),
    time: `[${year}-01-01T00:00:00Z TO ${year + 9}-12-31T23:59:59Z]`,
    file: `/mixed/tas_${index}.nc`,
  }));

const SEARCH = "?flavour=cmip6&source_id=MPI-ESM1-2-LR&variable_id=tas";
const run = promisify(execFile);

const service = useService({ documents: "sample" });
beforeAll(() => load(service.solr, mixed()));
const browsing = useBrowsing(service);

const keep = (page: Page, text: string): Promise<void> =>
  page.evaluate(([key, kept]) => localStorage.setItem(key ?? "", kept ?? ""), [KEPT_AS, text]);

/** Puts things into the cart as the page keeps them. */
async function fill(page: Page, items: readonly unknown[] = ITEMS): Promise<void> {
  await keep(page, JSON.stringify({ version: 1, items }));
  await page.reload();
  await page.getByRole("heading", { level: 2, name: /entr/ }).waitFor();
}

const entries = (page: Page) => page.getByRole("button", { name: /^Remove / });

/** What the searches of the cart list one by one. */
async function listed(): Promise<string[]> {
  const lists = ITEMS.map(async ({ flavour, pairs }) => {
    const query = new URLSearchParams(pairs.map(([name = "", value = ""]) => [name, value]));
    const answer = await service.get(`/databrowser/data-search/${flavour}/file?${query}`);
    return (await answer.text()).split("\n").slice(0, -1);
  });
  return [...new Set((await Promise.all(lists)).flat())].sort();
}

describe("the cart", () => {
  it("stays, follows another tab, and restores what was removed", async () => {
    const { page, context, close } = await browsing.openPage("cart");
    await page.getByText("The cart is empty").waitFor();
    await fill(page);
    expect(await entries(page).count()).toBe(3);
    // What it is called is text, whatever it says.
    await page.getByRole("link", { name: "<img src=x onerror=alert(1)>" }).waitFor();
    // What was not counted when it was put in is counted here.
    await page.getByText("no longer found").waitFor();
    const other = await context.newPage();
    await other.goto((await addressOf(page)).href);
    await other.getByRole("button", { name: `Remove ${DATASET}` }).click();
    await expect.poll(() => entries(page).count()).toBe(2);
    await page.getByRole("button", { name: "Empty the cart" }).click();
    await expect.poll(() => entries(other).count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => entries(other).count()).toBe(2);
    await page.getByRole("button", { name: "Count again" }).click();
    await page.getByText("1 of them find no files").first().waitFor();
    await page.getByRole("link", { name: "Precipitation of one model" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect((await addressOf(page)).href).toContain(
      "?flavour=cmip6&variable_id=pr&source_id=MPI-ESM1-2-LR&time=",
    );
    // A search that was put in from there is one thing with what is shown.
    await page.getByRole("button", { name: "Remove search from cart" }).click();
    await expect.poll(() => entries(other).count()).toBe(1);
    await page.getByRole("button", { name: "Add search to cart" }).click();
    await expect.poll(() => entries(other).count()).toBe(2);
    await close();
  });

  it("has the whole dataset of a row, however few of its files the search finds", async () => {
    const { page, go, close } = await browsing.openPage("?flavour=cmip6&source_id=mixed&time=1990");
    const row = page.getByRole("row", { name: MIXED });
    await row.getByText("2 files").waitFor();
    await row.getByRole("button", { name: /^Add to cart/ }).click();
    await go("cart");
    await page.getByRole("link", { name: MIXED, exact: true }).waitFor();
    await page
      .getByRole("listitem")
      .getByText(/^3 files/)
      .waitFor();
    await close();
  });

  it("is listed in another vocabulary, and leaves the search beside it as it is", async () => {
    const { page, close } = await browsing.openPage(SEARCH);
    await page.getByRole("button", { name: "Add search to cart" }).click();
    await page.getByRole("link", { name: "Cart", exact: true }).click();
    const vocabulary = page.getByRole("combobox", { name: "Vocabulary" });
    expect(await vocabulary.inputValue()).toBe("cmip6");
    await vocabulary.selectOption("native");
    const sent = page.waitForRequest("**/databrowser/cart/native/file");
    await page.getByRole("button", { name: "Download" }).click();
    await sent;
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("row", { name: DATASET }).first().waitFor();
    expect((await addressOf(page)).search).toBe(SEARCH);
    expect(await page.getByRole("alert").count()).toBe(0);
    await close();
  });

  it("says beside the button that it is full", async () => {
    const { page, go, close } = await browsing.openPage("cart");
    const full = Array.from({ length: 2000 }, (_, n) => {
      const pairs = [["dataset_id", `none.${n}`]];
      return { kind: "dataset", flavour: "cmip6", title: `d${n}`, files: 1, bytes: 1, pairs };
    });
    await fill(page, full);
    await go(SEARCH);
    await page.getByRole("button", { name: "Add search to cart" }).click();
    const said = page.getByRole("alert").filter({ hasText: "The cart is full." });
    await said.waitFor();
    const row = page.getByRole("row", { name: DATASET }).first();
    await row.getByRole("button", { name: /^Add to cart/ }).click();
    await row.getByRole("alert").waitFor();
    expect(await said.count()).toBe(2);
    await close();
  });

  it("works if the browser stores nothing for the page, and says that it is lost with the tab", async () => {
    const { page, context, go, close } = await browsing.openPage("cart");
    await context.addInitScript(() => {
      const get = () => {
        throw new DOMException("Access is denied.", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage", "BroadcastChannel"])
        Object.defineProperty(window, name, { get });
    });
    await go(SEARCH);
    await page.getByRole("button", { name: "Add search to cart" }).click();
    await page.getByRole("link", { name: "Cart", exact: true }).click();
    await page.getByText("This browser stores nothing for the page").waitFor();
    expect(await entries(page).count()).toBe(1);
    await close();
  });

  it("ends its count at the first error, whatever other entries answer later", async () => {
    const { page, close } = await browsing.openPage("cart");
    const item = { kind: "search", flavour: "cmip6", files: 1, bytes: 1 };
    const wrong = { ...item, title: "wrong", pairs: [["no_such_facet", "x"]] };
    const others = Array.from({ length: 5 }, (_, n) => ({
      ...item,
      title: `none ${n}`,
      pairs: [["dataset_id", `none.${n}`]],
    }));
    await fill(page, [wrong, ...others]);
    const late = await holdRequests(page, "GET", "**/summary/**dataset_id=none**");
    await page.getByRole("button", { name: "Count again" }).click();
    await page.getByRole("alert").waitFor();
    const again = page.getByRole("button", { name: "Count again" });
    await again.waitFor();
    await late.release();
    // The three that were on their way find no files.
    await page.getByText("3 files", { exact: true }).waitFor();
    expect(await again.count()).toBe(1);
    await close();
  });

  it("is empty, and works, if its stored content is damaged", async () => {
    const { page, close } = await browsing.openPage("cart");
    const one = ITEMS[0];
    for (const spoilt of [
      "{",
      "null",
      "[]",
      '{"version":2,"items":[]}',
      '{"version":1,"items":7}',
      JSON.stringify({ version: 1, items: [null, 1, {}, { ...one, pairs: [["a"]] }] }),
      JSON.stringify({ version: 1, items: [{ ...one, kind: "x" }] }),
      "x".repeat(4_000_000),
    ]) {
      await keep(page, spoilt);
      await page.reload();
      await page.getByRole("heading", { name: "The cart is empty" }).waitFor();
    }
    await fill(page, [{}, one, one]);
    expect(await entries(page).count()).toBe(1);
    await close();
  });

  it("is downloaded by one request, in each form, by keyboard, and by the line beside it", async () => {
    const { page, close } = await browsing.openPage("cart");
    await fill(page);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") asked.push(new URL(request.url()).pathname);
    });
    const all = await listed();
    expect(all.length).toBeGreaterThan(3);
    const sizes: Record<string, number> = {};
    await page.getByRole("radio", { name: /Path list/ }).focus();
    const tables = ["CSV table", "Parquet table"];
    const forms = ["Path list", "intake-esm catalogue", "STAC archive", ...tables];
    for (const form of forms) {
      await page.getByRole("radio", { name: form, checked: true }).waitFor();
      await page.getByRole("button", { name: "Download" }).focus();
      const waiting = page.waitForEvent("download");
      await page.keyboard.press("Enter");
      const download = await waiting;
      const bytes = await readFile(await download.path());
      sizes[download.suggestedFilename()] = bytes.length;
      if (form === "Path list") {
        expect(bytes.toString().split("\n").slice(0, -1).sort()).toEqual(all);
      } else if (form.startsWith("intake")) {
        expect(JSON.parse(bytes.toString()).catalog_dict).toHaveLength(all.length);
      } else if (form === "CSV table") {
        expect(bytes.toString().trim().split("\r\n")).toHaveLength(all.length + 1);
      }
      await page
        .getByRole("status")
        .filter({ hasText: /^Downloaded .*, / })
        .first()
        .waitFor();
      await page.getByRole("radio", { name: form }).focus();
      await page.keyboard.press("ArrowDown");
    }
    const names = ["cart.txt", "cart.json", "cart.zip", "cart.csv", "cart.parquet"];
    expect(Object.keys(sizes)).toEqual(names);
    expect(asked).toEqual(Array(5).fill("/api/climate-nextgen/databrowser/cart/cmip6/file"));
    // Addresses of streams are for those who are signed in.
    await page.getByRole("button", { name: /Sign in to get/ }).waitFor();
    expect((await addressOf(page)).href).toContain("as=zarr");
    await page.goBack();
    await page.goForward();
    await page.getByRole("radio", { name: /Path list/ }).check();
    await page.getByText("Show code").click();
    const line = await page.locator(".code-lines code").innerText();
    const { stdout } = await run("bash", ["-c", line]);
    expect(stdout.split("\n").slice(0, -1).sort()).toEqual(all);
    await close();
  });

  it("is downloaded by one request with a thousand datasets as well", async () => {
    const { page, close } = await browsing.openPage("cart");
    const many = Array.from({ length: 1000 }, (_, index) => ({
      kind: "dataset",
      flavour: "cmip6",
      title: `d${index}`,
      files: 1,
      bytes: 1,
      pairs: [["dataset_id", index === 500 ? DATASET : `none.${index}`]],
    }));
    await fill(page, many);
    await page.getByRole("heading", { name: "1,000 entries" }).waitFor();
    await page.getByRole("button", { name: "Show 100 more" }).click();
    expect(await entries(page).count()).toBe(200);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const text = await readFile(await (await waiting).path(), "utf8");
    expect(text.trim().split("\n").length).toBeGreaterThan(1);
    // The line does not write over the body that it sends.
    await page.getByRole("radio", { name: /^intake-esm/ }).check();
    await page.getByText(/^curl .* -o cart\.json .* -d @cart-request\.json$/).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the cart as cart-request.json" }).click();
    expect((await saving).suggestedFilename()).toBe("cart-request.json");
    await close();
  });

  it("has no fault for axe, in light and dark, on a phone and enlarged", {
    tags: ["slow"],
  }, async () => {
    await expectAccessible(browsing, "cart", (page) => fill(page));
  });
});
