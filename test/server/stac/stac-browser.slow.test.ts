/** STAC Browser as it is published, built, in Chromium: it searches, filters, turns pages and shows items of this service. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { closePages, findChromium, sharedBrowser } from "../../support/page/browser.js";
import { stacBrowser } from "../../support/programs/stac-tools.js";
import { loadSample } from "../../support/service/sample.js";
import { emptyIndex, startService, type TestService } from "../../support/service/service.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
/** The only other host: its maps. */
const MAPS = "tile.openstreetmap.org";

const chromium = findChromium();
let server: Server;
let service: TestService;
let browser: Browser;
/** Where STAC Browser is, as people host it: at another origin than the service. */
let origin: string;

beforeAll(async () => {
  const folder = stacBrowser();
  server = createServer(async ({ url = "/" }, response) => {
    const path = normalize(url.split("?")[0] === "/" ? "/index.html" : (url.split("?")[0] ?? ""));
    try {
      const body = await readFile(join(folder, path));
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService({ corsOrigins: [origin] });
  await emptyIndex(service.solr);
  await loadSample(service.solr);
  if (chromium !== undefined) browser = await sharedBrowser(chromium);
}, 300_000);
afterAll(async () => {
  await closePages();
  await service.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Visit {
  readonly page: Page;
  /** Answers of the service that are errors, and requests to other hosts than that of the maps. */
  readonly wrong: readonly string[];
}

/** A view of STAC Browser, such as `search`, onto the STAC API; or onto a path below it. */
async function visit(view: string, path = ""): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const wrong: string[] = [];
  await page.route(
    ({ hostname }) => hostname !== "127.0.0.1",
    (route) => {
      if (new URL(route.request().url()).hostname !== MAPS) wrong.push(route.request().url());
      return route.abort();
    },
  );
  page.on("response", (response) => {
    const isOurs = response.url().startsWith(service.address);
    if (isOurs && response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  const { host } = new URL(service.address);
  const prefix = view === "" ? "" : `${view}/`;
  await page.goto(`${origin}/#/${prefix}external/http:/${host}${PREFIX}/stac${path}`);
  return { page, wrong };
}

/** The form that searches items. */
async function itemForm(page: Page): Promise<Locator> {
  await page.getByRole("tab", { name: "Search for Items" }).click();
  const form = page.locator("form.filter:visible");
  await form.getByRole("button", { name: "Add filter" }).waitFor();
  return form;
}

/** Sends the form. @returns the ids that the service gives */
async function answered(page: Page, click: () => Promise<unknown>): Promise<string[]> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith("/stac/search")),
    click(),
  ]);
  const text = await response.text();
  expect(response.status(), text).toBe(200);
  const { features } = JSON.parse(text) as { features: { id: string }[] };
  return features.map(({ id }) => id);
}

const submit = (form: Locator) => form.getByRole("button", { name: "Submit" }).click();

/** Types one more entry into a list of the form. */
async function add(form: Locator, part: string, text: string): Promise<void> {
  await form.locator(`${part} .multiselect`).click();
  await form.page().keyboard.type(text);
  await form.page().keyboard.press("Enter");
}

/** The ids of the items that the service finds for a query. */
async function found(query: Readonly<Record<string, string>>): Promise<string[]> {
  const response = await service.get(`/stac/search?${new URLSearchParams(query)}`);
  const { features } = (await response.json()) as { features: { id: string }[] };
  return features.map(({ id }) => id);
}

/** The title of an item: its id without the version. */
const nameOf = (id = ""): string => id.replace(/\.v\d+$/, "");

describe.skipIf(chromium === undefined)("STAC Browser", () => {
  it("shows the collections, and one with its items", async () => {
    const { page, wrong } = await visit("");
    await page.getByRole("link", { name: "CMIP6", exact: true }).first().click();
    const [id] = await found({ collections: "CMIP6", limit: "1" });
    await page.getByText(nameOf(id)).first().waitFor();
    expect(wrong).toEqual([]);
  });

  it("filters by a queryable, turns to the next page, and shows an item with its files", async () => {
    const { page, wrong } = await visit("search");
    const form = await itemForm(page);
    await form.getByRole("button", { name: "Add filter" }).click();
    await form.locator(".dropdown-item", { hasText: "cmip6:variable_id" }).click();
    await form.locator(".additional-filters select").selectOption("tas");
    await form.getByLabel("Items per page").fill("5");
    await form.getByLabel("Items per page").press("Tab");
    const all = await found({ filter: "cmip6:variable_id = 'tas'", limit: "10" });
    expect(await answered(page, () => submit(form))).toEqual(all.slice(0, 5));
    const next = page.getByRole("button", { name: "Next" }).first();
    expect(await answered(page, () => next.click())).toEqual(all.slice(5));
    await page.getByRole("link", { name: nameOf(all[5]) }).click();
    const parts = ["How to cite this dataset", "intake-esm catalogue", "Source Id", "_historical_"];
    for (const part of parts) await page.getByText(part).first().waitFor();
    expect(wrong).toEqual([]);
  });

  it("sorts by all that it offers, and searches words, times and ids", async () => {
    const { page, wrong } = await visit("search");
    const form = await itemForm(page);
    const [id = ""] = await found({ q: "temperature", limit: "1" });
    for (const order of ["Title", "Time of Data", "Created", "Updated", "Identifier"]) {
      await form.locator(".sort .multiselect").click();
      await form.locator(".sort .multiselect__option", { hasText: order }).first().click();
      expect((await answered(page, () => submit(form))).length, order).toBe(10);
    }
    await add(form, ".filter-freetext", "temperature");
    const words = await answered(page, () => submit(form));
    expect([...words].sort()).toEqual([...(await found({ q: "temperature" }))].sort());
    await add(form, ".filter-item-id", id);
    expect(await answered(page, () => submit(form))).toEqual(
      await found({ q: "temperature", ids: id }),
    );
    expect(wrong).toEqual([]);
  });
});
