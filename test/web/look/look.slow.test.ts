/** A first look at data in a real browser, from the service: what is drawn, and how it is used. */
import { mkdir, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { readNpy } from "../../../src/files/zarr/slice/npy.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { colourTable } from "../../../web/src/look/draw/colour-tables.js";
import { drawn, pixels } from "../../support/page/drawn.js";
import { firstLook, writeSlices } from "../../support/page/first-look.js";
import { LOOK_FILES, useLookFiles } from "../../support/page/look-files.js";
import {
  addressOf,
  expectAccessible,
  type OpenPage,
  useBrowsing,
} from "../../support/page/page.js";
import { giveCredentials } from "../../support/page/page-sign-in.js";
import { runPython, runWithInput } from "../../support/programs/python.js";
import { RUNNABLE, runLines } from "../../support/project/lines.js";
import { expectBelow } from "../../support/run/bounds.js";
import { chance, SEED } from "../../support/run/trials.js";
import { load } from "../../support/service/service.js";

const PIXELS = 100;

const { files, service, user } = useLookFiles();
let opened: OpenPage;
const browsing = useBrowsing(service, async ({ openPage }) => {
  opened = await openPage("");
  await enter(opened);
});

afterAll(() => opened?.close());

const lookAt = (file: string, more: Record<string, string> = {}): string =>
  `look?${new URLSearchParams({ id: datasetId(files.path(file)), ...more })}`;

/** Signs in, by the way that the view offers, and comes back to it. */
async function enter({ page, go }: Pick<OpenPage, "page" | "go">): Promise<void> {
  await go(lookAt("packed.nc", { colours: "RdBu" }));
  const address = (await addressOf(page)).href;
  await fromSignIn(page);
  expect((await addressOf(page)).href).toBe(address);
}

/** Opens an address, and waits until the page has found out again who is signed in. */
async function reopen(to: string): Promise<Page> {
  await opened.go(to);
  await opened.page.getByRole("link", { name: `Account: ${user.name}` }).waitFor();
  return opened.page;
}

async function fromSignIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in to view data" }).click();
  await giveCredentials(page, user.name);
  await drawn(page);
}

const code = async (page: Page): Promise<string> =>
  (await page.locator(".look-xarray pre").textContent()) ?? "";

describe("the picture's values", () => {
  it("are those of xarray at the same position, in the colour of the value, for ten kinds of data", async () => {
    const { page } = opened;
    const random = chance(SEED);
    const looks = [];
    for (const { file, variable } of LOOK_FILES) {
      const index = Array.from({ length: 4 }, () => Math.floor(random() * 5)).join(",");
      await reopen(lookAt(file, { show: variable, index, colours: "viridis" }));
      await drawn(page);
      const shares = Array.from({ length: PIXELS }, () => [random(), random()] as const);
      looks.push({
        file,
        variable,
        code: await code(page),
        sampled: file === "big_chunks.nc",
        pixels: await pixels(page, shares),
      });
    }
    const table = Buffer.from(colourTable("viridis")).toString("base64");
    const said = await runWithInput(
      [packagePath("test", "web", "look", "look_pixels.py"), files.folder],
      JSON.stringify({ looks, table, token: user.token }),
    );
    expect([`SEED=${SEED}`, JSON.parse(said).wrong]).toEqual([`SEED=${SEED}`, []]);
  });
});

describe("the picture", () => {
  it("follows the sliders, dates as cftime writes them, and its address restores it completely", async () => {
    const { page } = opened;
    await reopen(lookAt("days360.nc"));
    await drawn(page);
    const slider = page.getByRole("slider", { name: "time" });
    const [before] = await pixels(page, [[0.4, 0.4]]);
    await slider.focus();
    await page.keyboard.press("End");
    await page.getByRole("heading", { name: "1860-12-01 06:00" }).waitFor();
    expect(await slider.getAttribute("aria-valuetext")).toBe("1860-12-01 06:00");
    await drawn(page);
    expect(await pixels(page, [[0.4, 0.4]])).not.toEqual([before]);
    await page.getByRole("button", { name: "time: previous" }).click();
    await page.getByRole("spinbutton", { name: "Index of time" }).fill("4");
    await page.getByRole("heading", { name: "1860-02-16 06:00" }).waitFor();
    await page.getByRole("combobox", { name: "Colours" }).selectOption("RdBu");
    await page.getByRole("checkbox", { name: "Reversed" }).check();
    await page.getByRole("textbox", { name: "Min" }).fill("200");
    await page.getByRole("textbox", { name: "Max" }).fill("330.5");
    await page.getByRole("button", { name: "Keep range" }).click();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForURL(/view=/);
    await drawn(page);
    const shares = [
      [0.1, 0.2],
      [0.7, 0.9],
    ] as const;
    const seen = await pixels(page, shares);
    const { searchParams } = await addressOf(page);
    expect([
      searchParams.get("index"),
      searchParams.get("range"),
      searchParams.get("colours"),
    ]).toEqual(["4,:,:", "200,330.5", "RdBu_r"]);
    await page.reload();
    await drawn(page);
    expect(await pixels(page, shares)).toEqual(seen);
    expect(await code(page)).toContain('cmap="RdBu_r", vmin=200, vmax=330.5');
  });

  it("is moved by wheel, drag and keys, across the antimeridian, and read by pointer and by keys", async () => {
    const { page } = opened;
    await reopen(lookAt("longitudes360.nc", { view: "175,0,60" }));
    await drawn(page);
    const map = page.getByRole("application");
    const readout = page.locator(".readout");
    const box = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2);
    expect(await readout.textContent()).toMatch(/^[\d.]+ Pa · 170° W, 0°.* · 2000-01-16/);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/view=-15[45][\d.]*%2C/);
    await page.mouse.wheel(0, -400);
    await page.waitForURL(/view=-1[67][\d.]*%2C[\d.]+%2C[34]/);
    await map.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const first = await readout.textContent();
    await page.keyboard.press("Shift+ArrowUp");
    const second = await readout.textContent();
    expect(first).toMatch(/ Pa · /);
    // Ten cells of five degrees.
    const latitude = (text: string | null) => Number(/, (-?[\d.]+)°/.exec(text ?? "")?.[1]);
    expect(latitude(second)).toBeGreaterThan(40);
    await page
      .getByRole("status")
      .filter({ hasText: second ?? "" })
      .waitFor();
  });

  it("gives the series of a position by click, by keys and by numbers, as a line and as a table", async () => {
    const { page } = opened;
    await reopen(lookAt("packed.nc"));
    await drawn(page);
    const map = page.getByRole("application");
    await map.click({ position: { x: 40, y: 60 } });
    await page.getByRole("img", { name: /^Series of t2m/ }).waitFor();
    await page.locator(".series-plot canvas").waitFor();
    await map.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL(/at=/);
    await page.getByRole("textbox", { name: "Longitude" }).fill("20");
    await page.getByRole("textbox", { name: "Latitude" }).fill("95");
    await page.getByRole("button", { name: "Show the series" }).click();
    await page.getByText("Enter two numbers").waitFor();
    await page.getByRole("textbox", { name: "Latitude" }).fill("0.5");
    // The worker's series wait for an event, so that the page is seen while one is read.
    await page.evaluate(() => {
      const send = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message: { request?: { kind: string } }) {
        const post = () => send.call(this, message);
        if (message.request?.kind === "series") addEventListener("series", post, { once: true });
        else post();
      };
    });
    await page.getByRole("button", { name: "Show the series" }).click();
    await page.waitForURL(/at=20%2C0\.5/);
    await page.getByRole("heading", { name: /20° E, 0°/ }).waitFor();
    // The former place's series does not stand under this place's heading.
    expect(await page.getByText("The series as a table").count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event("series")));
    await page.getByText("The series as a table").click();
    const table = page.getByRole("group", { name: "The series as a table" });
    expect(await table.getByRole("row").count()).toBe(6);
    expect(await table.getByRole("cell").first().textContent()).toMatch(/^[23]\d\d/);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(lines.length).toBe(6);
    expect(lines[1]).toMatch(/^2000-01-16T06:00:00,[23]\d\d\.\d+$/);
  });

  it("is saved as a file, with the name and texts of the data, made harmless", async () => {
    const { page } = opened;
    await reopen(lookAt("regular.nc"));
    await drawn(page);
    // Its long_name is an element that would run a script.
    await page.getByRole("heading", { name: "<img src=x onerror=alert(1)> (K)" }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    // The address has an identifier only.
    await page.getByRole("heading", { level: 1, name: "regular.nc" }).waitFor();
    expect(await page.title()).toMatch(/^regular\.nc · First look · /);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as PNG" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("regular_2000-01-16_06_00.png");
    const content = await readFile(await file.path());
    expect(content.subarray(1, 4).toString()).toBe("PNG");
    const map = (await page.getByRole("application").boundingBox()) ?? { width: 0, height: 0 };
    expect(content.readUInt32BE(16)).toBe(2 * (Math.round(map.width) + 32));
    expect(content.length).toBeGreaterThan(20_000);
  });

  it("has lines of code that give its values as a file", async () => {
    const page = await reopen(lookAt("packed.nc", { index: "3" }));
    await drawn(page);
    const [{ cell = 0, value = 0 } = {}] = await pixels(page, [[0.3, 0.3]]);
    const box = page.locator(".code-lines:not(.look-xarray)");
    await box.locator("summary").click();
    await Promise.all(
      await RUNNABLE.reduce<Promise<Promise<void>[]>>(async (before, language) => {
        const running = await before;
        await box.getByRole("button", { name: language, exact: true }).click();
        const text = (await box.locator("pre").textContent()) ?? "";
        const run = async (): Promise<void> => {
          const folder = files.path(`lines-${language}`);
          await mkdir(folder);
          await runLines(language, text, { token: user.token, folder });
          const { shape, values } = readNpy(new Uint8Array(await readFile(`${folder}/slice.npy`)));
          expect([language, shape, values[cell]]).toEqual([language, [45, 90], value]);
        };
        return [...running, run()];
      }, Promise.resolve([])),
    );
  });

  it("has the header as a tree, by keys, that leads to other variables", async () => {
    const { page } = opened;
    await reopen(lookAt("curvilinear.nc"));
    await drawn(page);
    const tree = page.getByRole("tree", { name: "Header of the dataset" });
    await tree
      .getByRole("treeitem", { name: /^▾ Dimensions/ })
      .or(tree.getByRole("treeitem").first())
      .first()
      .focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    const item = page.locator('[role="treeitem"]:focus');
    expect(await item.textContent()).toContain("thetao");
    expect(await item.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await item.getAttribute("aria-level")).toBe("3");
    expect(await tree.textContent()).toContain("nav_lat nav_lon");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/show=nav_lon/);
    await page.getByRole("heading", { name: "nav_lon (degrees_east)" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: /^thetao/ }).waitFor();
  });

  it("explains in a sentence what it cannot show, and what to do", async () => {
    const { page } = opened;
    await reopen("look");
    await page.getByText("Open a dataset from the results").waitFor();
    await reopen("look?id=5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("Look for it in the search");
    await reopen(`look?look_file=${files.path("nothing.nc")}`);
    await page.getByText("No file that you may read has the path").waitFor();
    await reopen(lookAt("packed.nc", { show: "nothing" }));
    await page.getByText("There is no variable nothing in this dataset").waitFor();
    await reopen(`look?look_file=${files.path("packed.nc")}`);
    await drawn(page);
  });
});

describe("other viewers", () => {
  it("read through an address without a token, across origins, parts of it, too", async () => {
    const { page } = opened;
    await reopen(lookAt("packed.nc"));
    await page.getByRole("button", { name: "Create the address" }).click();
    const link = page.getByRole("link", { name: "Open in gridlook" });
    const [site = "", address = ""] = ((await link.getAttribute("href")) ?? "").split("#");
    expect(site).toBe("https://gridlook.pages.dev/");
    expect(await link.getAttribute("rel")).toContain("noopener");
    const other = page.getByRole("link", { name: "Open in browzarr" });
    const store = new URL((await other.getAttribute("href")) ?? "").searchParams.get("store");
    expect(store).toBe(address);
    const key = `${address}/t2m/0.0.0`;
    const asked = {
      Origin: "https://gridlook.pages.dev",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "range",
    };
    const preflight = await fetch(key, { method: "OPTIONS", headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toMatch(/range/i);
    expect(Number(preflight.headers.get("Access-Control-Max-Age"))).toBeGreaterThanOrEqual(600);
    const { Origin } = asked;
    const part = await fetch(key, { headers: { Origin, Range: "bytes=0-9" } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
    expect(part.headers.get("Access-Control-Allow-Origin")).toBe("*");
    // What a page may read of the answer, to know which part it has.
    expect(part.headers.get("Access-Control-Expose-Headers")).toMatch(/Content-Range/i);
    expect((await fetch(`${address}/.zmetadata`, { headers: { Origin } })).status).toBe(200);
    await page.getByRole("button", { name: "Revoke the address" }).click();
    await page.getByText("The address is no longer valid.").waitFor();
    expect((await fetch(key)).status).toBe(401);
  });
});

it("the picture is there soon after the click, and so are slides", async () => {
  const { page } = opened;
  await writeSlices(files.path("slices.nc"));
  await load(service.solr, [{ file: files.path("slices.nc") }]);
  await reopen("cart");
  // What is aimed at is 500 ms (bench/page.ts); here others use the machine as well.
  const times: number[] = [];
  for (let turn = 0; turn < 3 && Math.min(...times) >= 2500; turn += 1) {
    if (turn > 0) await reopen("cart");
    times.push(await firstLook(opened.page, lookAt("slices.nc")));
  }
  expectBelow(Math.min(...times), 2500, `${times}`);
  const slider = page.getByRole("slider", { name: "time" });
  await slider.focus();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  for (let i = 0; i < 11; i++) await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: /tas \(K\) 1850-12-12/ }).waitFor();
  await drawn(page);
  // Each is asked for once at most: what the slider has passed by is not waited for.
  expect(asked.filter((address) => address.includes("/tas/")).length).toBeLessThanOrEqual(11);
});

it("the picture explains what to do with more cells than it draws", async () => {
  const { page } = opened;
  const script = `
import sys, netCDF4, numpy as np
with netCDF4.Dataset(sys.argv[1], "w") as file:
    file.createDimension("cell", 1_000_001)
    for name, most, units in (("lon", 360, "degrees_east"), ("lat", 90, "degrees_north"), ("v", 1, "1")):
        made = file.createVariable(name, "f4", ("cell",), chunksizes=(500_000,))
        made.units = units
        made[:] = np.linspace(0, most, 1_000_001)
    made.coordinates = "lon lat"
`;
  await runPython(["-c", script, files.path("many.nc")]);
  await load(service.solr, [{ file: files.path("many.nc") }]);
  await reopen(lookAt("many.nc", { show: "v" }));
  await page.getByText("1,000,001 cells without rows and columns are more").waitFor();
  expect(await code(page)).toContain('plt.scatter(dataset["lon"], dataset["lat"], c=field');
});

it("axe finds no fault in the picture, in light and dark, wide and narrow", async () => {
  await expectAccessible(browsing, lookAt("curvilinear.nc", { at: "10,40" }), async (page) => {
    await fromSignIn(page);
    await page.locator(".series-plot canvas").waitFor();
    for (const closed of await page.locator("summary").all()) await closed.click();
  });
});
