/** The page about a data set, as a person meets it: in a browser, by a shared address. */

import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SharedZarr } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { axeViolations } from "../../support/page/axe.js";
import { closePages, findChromium, sharedBrowser } from "../../support/page/browser.js";
import { runPython } from "../../support/programs/python.js";
import { isHeld } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { TestClock } from "../../support/run/test-clock.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { fillIndex } from "../../support/service/service.js";
import { bearer, jsonRequest, problem } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";

const FACETS = {
  project: ["CMIP6"],
  product: ["CMIP"],
  institute: ["MPI-M"],
  model: ["MPI-ESM1-2-LR"],
  experiment: ["historical"],
  ensemble: ["r1i1p1f1"],
  time_frequency: ["mon"],
  cmor_table: ["Amon"],
  variable: ["tas"],
};
/** What somebody writes into a file of theirs who wishes others ill. */
const HOSTILE = {
  script: "<script>document.title = 'taken'; fetch('http://127.0.0.1:9/')</script>",
  image: '"><img src="http://127.0.0.1:9/x" onerror="document.title = \'taken\'">',
  style: "</style></title></main><body style='display:none'>",
  "<i>name</i>": "&lt;b&gt; stays as it is written",
  long: "x".repeat(3000),
};

const chromium = findChromium();
const service = useService(() => ({ dataRoots: [folder], clock: clock.now }));
const folder = freshFolder();
let token: string;
let browser: Browser | undefined;
const clock = new TestClock();
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  token = (await person(service)).token;
  await cp(SAMPLE_FILE, at("tas.nc"));
  await hostileStore(at("hostile.zarr"));
  await fillIndex(service.solr, [
    { file: at("tas.nc"), ...FACETS },
    { file: at("hostile.zarr"), variable: ["<b>v</b>"] },
  ]);
  if (chromium !== undefined) browser = await sharedBrowser(chromium);
}, 300_000);
afterAll(() => closePages());

async function hostileStore(path: string): Promise<void> {
  const array = {
    zarr_format: 2,
    shape: [4],
    chunks: [2],
    dtype: "<f4",
    compressor: null,
    fill_value: 0,
    order: "C",
    filters: null,
  };
  await mkdir(join(path, "v"), { recursive: true });
  await writeFile(join(path, ".zgroup"), '{"zarr_format": 2}');
  await writeFile(join(path, ".zattrs"), JSON.stringify(HOSTILE));
  await writeFile(join(path, "v", ".zarray"), JSON.stringify(array));
  const attributes = { ...HOSTILE, long_name: HOSTILE.script, _ARRAY_DIMENSIONS: ["<u>d</u>"] };
  await writeFile(join(path, "v", ".zattrs"), JSON.stringify(attributes));
}

const store = (name: string): string => `${datasetId(at(name))}.zarr`;

async function share(name: string, lifetime = 600): Promise<string> {
  const response = await service.get(
    "/data-portal/share-zarr",
    jsonRequest("POST", { uuid: datasetId(at(name)), ttl_seconds: lifetime }, token),
  );
  expect(response.status).toBe(200);
  return ((await response.json()) as SharedZarr).url;
}

describe("a shared address", () => {
  it("is a page, titled by dataset and variable, with lines of Python that need no header", async () => {
    const address = await share("tas.nc");
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const text = await response.text();
    const title = "tas · CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.mon.Amon.gn";
    expect(text).toContain(`<title>${title}</title>`);
    expect(text).toContain("Near-Surface Air Temperature, in K");
    expect(text).not.toContain("Bearer");
    const code = /<pre><code>(.*?)<\/code>/s.exec(text)?.[1] ?? "";
    const python = code.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    expect(python).toContain(`xr.open_zarr("${address}")`);
    const printed = await runPython(["-c", `${python}\nprint(dataset.tas.shape)`]);
    expect(printed.trim()).toBe("(60, 20, 40)");
  });

  it("reveals nothing without a valid ticket, or with one of other data", async () => {
    const address = await share("tas.nc");
    const ticket = address.split("/").at(-2) ?? "";
    const tries = [
      address.replace(store("tas.nc"), store("hostile.zarr")),
      address.replace(ticket, `${ticket.slice(0, -4)}AAAA`),
      await share("tas.nc", 60),
    ];
    clock.ahead = 61_000;
    for (const url of tries) {
      const response = await fetch(url);
      expect(response.status, url).toBe(401);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
    clock.ahead = 0;
    expect(service.log.join("")).not.toContain(ticket);
  });

  it("ends for the page, too, when it is revoked", async () => {
    const url = await share("tas.nc");
    expect((await fetch(url)).status).toBe(200);
    const ended = await service.get(
      "/data-portal/share-zarr",
      jsonRequest("DELETE", { url }, token),
    );
    expect(ended.status).toBe(204);
    expect((await fetch(url)).status).toBe(401);
  });
});

describe("an address that needs a token", () => {
  it("says what a person without one can do", async () => {
    const path = `/data-portal/zarr/${store("tas.nc")}`;
    const refused = await service.get(path, { headers: { Accept: "text/html" } });
    expect(refused.status).toBe(401);
    expect((await problem(refused)).detail).toMatch(/shared address .*share-zarr/);
    const shown = await service.get(path, bearer(token));
    expect(await shown.text()).toContain("Bearer");
  });
});

describe.skipIf(chromium === undefined)("the page in a browser", () => {
  async function open(
    name: string,
    look: { readonly width: number; readonly colorScheme: "light" | "dark" },
  ): Promise<{ page: Page; complaints: string[] }> {
    if (browser === undefined) throw new Error("no browser");
    const { width, colorScheme } = look;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      const { origin } = new URL(request.url());
      if (![service.address, "null"].includes(origin)) complaints.push(request.url());
    });
    await page.goto(await share(name));
    // Everything that can be unfolded counts.
    for (const details of await page.locator("summary").all()) await details.click();
    if (process.env.SCREENSHOTS) {
      const path = join(process.env.SCREENSHOTS, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    return { page, complaints };
  }

  const LOOKS = [
    ["tas.nc", 1280, "light"],
    ["hostile.zarr", 390, "dark"],
    ["tas.nc", 390, "dark"],
    ["tas.nc", 390, "light"],
    ["tas.nc", 1280, "dark"],
    ["hostile.zarr", 390, "light"],
    ["hostile.zarr", 1280, "light"],
    ["hostile.zarr", 1280, "dark"],
  ] as const;

  it.each(LOOKS.slice(0, isHeld ? 8 : 3))(
    "fits, %s at %i px, %s: nothing scrolls sideways, and axe finds nothing",
    { tags: ["slow"] },
    async (name, width, colorScheme) => {
      const { page, complaints } = await open(name, { width, colorScheme });
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll("*")]
          .filter((one) => {
            const { right } = one.getBoundingClientRect();
            return (
              right > innerWidth + 1 ||
              (one.scrollWidth > one.clientWidth + 1 &&
                getComputedStyle(one).overflowX !== "visible")
            );
          })
          .map(({ tagName, textContent }) => `${tagName} ${textContent?.slice(0, 40)}`),
      );
      expect(wide).toEqual([]);
      expect(await axeViolations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it("shows all values of a file as text", async () => {
    const { page, complaints } = await open("hostile.zarr", { width: 1280, colorScheme: "light" });
    const { title, tags, shown } = await page.evaluate(() => ({
      title: document.title,
      tags: document.querySelectorAll("script, img, b, i, u, [onerror]").length,
      shown: document.body.innerText,
    }));
    expect(title).toBe("<b>v</b> · hostile.zarr");
    expect(tags).toBe(0);
    for (const [name, value] of Object.entries(HOSTILE)) {
      expect(shown).toContain(name);
      expect(shown).toContain(value);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});
