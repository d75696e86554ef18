/** The period and the region of a search, in a real browser: by pointer, by keys, by numbers and by names. */

import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  addressOf,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  useBrowsing,
} from "../../support/page/page.js";
import { useService } from "../../support/service/use-service.js";

const service = useService({ documents: documents() });
const browsing = useBrowsing(service);

/** Files of 1850 to 2100, of the globe, of Europe, and of an island behind the antimeridian. */
function documents() {
  const boxes = ["-180,180,90,-90", "-10,40,72,30", "175,-175,-15,-20"];
  return boxes.flatMap((box, place) =>
    [1850, 1900, 1950, 2000, 2050].map((year) => ({
      project: ["CMIP6"],
      variable: ["tas"],
      model: [`model${place}`],
      experiment: ["any"],
      file: `/data/${place}/${year}.nc`,
      time: `[${year}-01-01T00:00:00Z TO ${year + 49 + (year === 2050 ? 1 : 0)}-12-31T23:59:59Z]`,
      bbox: `ENVELOPE(${box})`,
    })),
  );
}

const queryOf = async (page: Page): Promise<[string, string][]> => [
  ...(await addressOf(page)).searchParams,
];

/** What the service finds by the address of the page, as it is. */
async function foundBy(page: Page): Promise<number> {
  const query = (await addressOf(page)).searchParams;
  query.delete("flavour");
  const answer = await service.get(
    `/databrowser/metadata-search/cmip6/file?${query}&facets=mip_era`,
  );
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { total_count: number }).total_count;
}

/** Waits until the address says it. */
async function expectQuery(page: Page, expected: [string, string][]): Promise<void> {
  await expect
    .poll(async () => (await queryOf(page)).filter(([name]) => name !== "flavour"), {
      timeout: 30_000,
    })
    .toEqual(expected);
}

/** Opens the search view with its timeline and map. */
async function openFilters(path: string, options?: PageOptions): Promise<OpenPage> {
  if (browsing === undefined) throw new Error("no browser");
  const opened = await browsing.openPage(path, options);
  const { page } = opened;
  const map = page.getByRole("application", { name: /^Map: a box/ });
  const section = page.locator("details.fold").filter({ hasText: /^Period and region/ });
  await section.waitFor();
  if ((await section.getAttribute("open")) === null)
    await section.locator("summary").first().click();
  await map.waitFor();
  return opened;
}

/** Drags from one place of an element to another, as parts of its width and height. */
async function drag(
  page: Page,
  element: Locator,
  [x1, y1]: [number, number],
  [x2, y2]: [number, number],
): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error("is not to be seen");
  await page.mouse.move(box.x + x1 * box.width, box.y + y1 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + ((x1 + x2) / 2) * box.width, box.y + ((y1 + y2) / 2) * box.height);
  await page.mouse.move(box.x + x2 * box.width, box.y + y2 * box.height);
  await page.mouse.up();
}

const PHONE = { width: 390, height: 844, touch: true };

type Touch = "touchStart" | "touchMove" | "touchEnd" | "touchCancel";

/** A finger on an element, at places that are parts of its width and height. */
async function fingerOn({ page, context }: OpenPage, element: Locator) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error("is not to be seen");
  const finger = await context.newCDPSession(page);
  return (type: Touch, ...[x, y]: [x?: number, y?: number]) => {
    const touchPoints =
      x === undefined || y === undefined
        ? []
        : [{ x: box.x + x * box.width, y: box.y + y * box.height }];
    return finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
}

describe("the period of a search", () => {
  it("is set by drag, by keys, in fields and by common choices, and kept by reload and back", async () => {
    const { page, close } = await openFilters("?flavour=cmip6");
    const period = page.getByRole("region", { name: "Period" });
    const track = page.getByRole("group", { name: "Years 1850 to 2100" });
    const first = page.getByRole("slider", { name: "First year" });
    const last = page.getByRole("slider", { name: "Last year" });
    await page.getByRole("img", { name: /at most 3 in a year/ }).waitFor();
    await drag(page, track, [0, 0.5], [0.4, 0.5]);
    await expectQuery(page, [["time", "1950 to"]]);
    expect(await first.getAttribute("aria-valuetext")).toBe("1950");
    expect(await last.getAttribute("aria-valuetext")).toBe("open");
    await drag(page, track, [1, 0.5], [0.6, 0.5]);
    await expectQuery(page, [["time", "1950 to 2000"]]);
    expect(await foundBy(page)).toBe(6);

    await period.getByLabel("Data").selectOption("lie entirely within it");
    await expectQuery(page, [
      ["time", "1950 to 2000"],
      ["time_select", "strict"],
    ]);
    expect(await foundBy(page)).toBe(3);

    await first.focus();
    for (const key of ["ArrowRight", "ArrowRight", "PageDown"]) await page.keyboard.press(key);
    await expectQuery(page, [
      ["time", "1942 to 2000"],
      ["time_select", "strict"],
    ]);
    await last.focus();
    await page.keyboard.press("End");
    await expectQuery(page, [
      ["time", "1942 to"],
      ["time_select", "strict"],
    ]);
    await page.reload();
    await expect.poll(() => first.getAttribute("aria-valuetext")).toBe("1942");
    await page.goBack();
    await expectQuery(page, [
      ["time", "1942 to 2000"],
      ["time_select", "strict"],
    ]);

    await page.getByRole("button", { name: "Historical 1850 to 2014" }).click();
    await period.getByLabel("To", { exact: true }).fill("2014-06");
    await page.keyboard.press("Enter");
    await expectQuery(page, [
      ["time", "1850 to 2014-06"],
      ["time_select", "strict"],
    ]);
    await period.getByLabel("From", { exact: true }).fill("2020");
    await page.getByText(/ends before/).waitFor();
    await page.getByRole("button", { name: "Any period" }).click();
    await expectQuery(page, []);
    await close();
  });

  it("stays as it is if a finger on the timeline scrolls the page", async () => {
    const opened = await openFilters("?flavour=cmip6&time=1950 to 2000", PHONE);
    const { page, close } = opened;
    const first = page.getByRole("slider", { name: "First year" });
    await page.getByRole("img", { name: /at most 3 in a year/ }).waitFor();
    const touch = await fingerOn(opened, page.getByRole("group", { name: "Years 1850 to 2100" }));
    const year = () => first.getAttribute("aria-valuetext");
    await touch("touchStart", 0.1, 0.5);
    await expect.poll(year).toBe("1875");
    for (const y of [0.2, -0.4, -1]) await touch("touchMove", 0.1, y);
    await expect.poll(year).toBe("1950");
    await touch("touchEnd");
    await expectQuery(page, [["time", "1950 to 2000"]]);
    await close();
  });
});

describe("the region of a search", () => {
  it("is drawn on the map, also over its edge, moved and pulled", async () => {
    const { page, close } = await openFilters("?flavour=cmip6");
    const region = page.getByRole("region", { name: "Region" });
    const map = page.getByRole("application", { name: /^Map: a box/ });
    await drag(page, map, [0.5, 0.25], [0.625, 0.5]);
    await expectQuery(page, [["bbox", "0,45,0,45"]]);
    // From its middle and from a corner.
    await drag(page, map, [0.5625, 0.375], [0.6125, 0.375]);
    await expectQuery(page, [["bbox", "18,63,0,45"]]);
    await drag(page, map, [0.675, 0.25], [0.75, 0.125]);
    await expectQuery(page, [["bbox", "18,90,0,68"]]);
    await page.goBack();
    await expectQuery(page, [["bbox", "18,63,0,45"]]);

    await drag(page, map, [0.975, 0.55], [1.05, 0.65]);
    await expectQuery(page, [["bbox", "171,-162,-27,-9"]]);
    expect(await foundBy(page)).toBe(10);
    await page.getByRole("button", { name: "180°" }).click();
    await page.getByRole("button", { name: "Anywhere" }).click();
    await drag(page, map, [0.475, 0.55], [0.55, 0.65]);
    await expectQuery(page, [["bbox", "171,-162,-27,-9"]]);
    await region.getByLabel("Data").selectOption("lie entirely within it");
    await expectQuery(page, [
      ["bbox", "171,-162,-27,-9"],
      ["bbox_select", "strict"],
    ]);
    expect(await foundBy(page)).toBe(5);
    await page.reload();
    await page.getByRole("application", { name: /171°E to 162°W, 27°S to 9°S/ }).waitFor();
    await close();
  });

  it("is drawn by a finger, and stays as it is if the browser ends a touch", async () => {
    const opened = await openFilters("?flavour=cmip6", PHONE);
    const { page, close } = opened;
    const map = page.getByRole("application", { name: /^Map: a box/ });
    const touch = await fingerOn(opened, map);
    await touch("touchStart", 0.5, 0.25);
    await touch("touchMove", 0.6, 0.4);
    await touch("touchMove", 0.625, 0.5);
    await touch("touchEnd");
    await expectQuery(page, [["bbox", "0,45,0,45"]]);
    const said = () => map.getAttribute("aria-label");
    const drawn = await said();
    await touch("touchStart", 0.2, 0.6);
    await touch("touchMove", 0.3, 0.7);
    await expect.poll(said).not.toBe(drawn);
    await touch("touchCancel");
    await expect.poll(said).toBe(drawn);
    await expectQuery(page, [["bbox", "0,45,0,45"]]);
    await close();
  });

  it("is set by keys, by numbers and by the names of AR6, and removed", async () => {
    const { page, close } = await openFilters("?flavour=cmip6");
    const map = page.getByRole("application", { name: /^Map: a box/ });
    await map.focus();
    for (const key of ["Enter", "ArrowRight", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowDown"]) {
      await page.keyboard.press(key);
    }
    await expectQuery(page, [["bbox", "-25,40,-15,20"]]);
    await page.keyboard.press("Delete");
    await expectQuery(page, []);

    for (const [side, degrees] of [
      ["West", "170"],
      ["East", "-170"],
      ["South", "-30"],
      ["North", "10"],
    ] as const) {
      await page.getByLabel(side, { exact: true }).fill(degrees);
    }
    await page.keyboard.press("Enter");
    await expectQuery(page, [["bbox", "170,-170,-30,10"]]);
    await page.getByLabel("North", { exact: true }).fill("95");
    await page.getByText(/latitude outside/).waitFor();

    await page.getByText("Named regions (IPCC AR6)").click();
    await page.getByLabel("Find a named region").fill("arctic rus");
    await page.getByRole("button", { name: /RAR Russian Arctic/ }).click();
    await expectQuery(page, [["bbox", "40,-168,65,82"]]);
    await page.getByText("The box around Russian Arctic (RAR)").waitFor();
    await page.getByRole("button", { name: "Anywhere" }).click();
    await expectQuery(page, []);
    await close();
  });

  it("shows the boxes of the results, wherever they are, and accepts one of them", async () => {
    const { page, close } = await openFilters("?flavour=cmip6&bbox=0,1,0,1");
    await page.getByText("Boxes of the files found: 3").click();
    const table = page.getByRole("group", { name: "Boxes of the files found: 3" });
    expect(await table.getByRole("rowheader").allTextContents()).toEqual(
      expect.arrayContaining(["175°E to 175°W, 20°S to 15°S", "all longitudes, 90°S to 90°N"]),
    );
    // One of them lies on both sides of the edge of the map.
    expect(await page.locator(".map-found").count()).toBe(4);
    await table.getByRole("button", { name: "Search here: 175°E to 175°W, 20°S to 15°S" }).click();
    await expectQuery(page, [["bbox", "175,-175,-20,-15"]]);
    expect(await foundBy(page)).toBe(10);
    await close();
  });

  it("leaves the rest of the search unchanged", async () => {
    const before = "flavour=cmip6&variable_id=tas&bbox=!0,10,0,10&bbox=0,20,0,20&time=!2000";
    const { page, close } = await openFilters(`?${before}`);
    await page.getByLabel("East", { exact: true }).fill("30");
    await page.keyboard.press("Enter");
    await expectQuery(page, [
      ["variable_id", "tas"],
      ["bbox", "!0,10,0,10"],
      ["bbox", "0,30,0,20"],
      ["time", "!2000"],
    ]);
    await close();
  });
});

describe("the timeline and the map", () => {
  it("have no fault for axe", async () => {
    await expectAccessible(
      browsing,
      "?flavour=cmip6&time=1900 to 1950&bbox=170,-150,-30,10",
      async (page) => {
        // A narrow window folds them.
        const folded = page.locator("details:not([open]) > summary", {
          hasText: "Period and region",
        });
        await page.locator("summary", { hasText: "Period and region" }).waitFor();
        if ((await folded.count()) > 0) await folded.click();
        await page.getByRole("img", { name: /at most/ }).waitFor();
      },
    );
  });
});
