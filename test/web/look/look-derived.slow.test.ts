/** Means, differences and other units of a first look are those of xarray, on ten kinds of data. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { drawn, pixels } from "../../support/page/drawn.js";
import { LOOK_FILES, useLookFiles } from "../../support/page/look-files.js";
import { addressOf, type OpenPage, useBrowsing } from "../../support/page/page.js";
import { accountLink, signInOn } from "../../support/page/page-sign-in.js";
import { runWithInput } from "../../support/programs/python.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";

const PIXELS = 60;
/** In `npm run test:slow` three of the ten kinds of data, others with every seed. */
const FIRST = SEED % LOOK_FILES.length;
const CHOSEN = [...LOOK_FILES.slice(FIRST), ...LOOK_FILES.slice(0, FIRST)].slice(
  0,
  attempts(3, LOOK_FILES.length),
);

const { files, service, user } = useLookFiles((file) => ({
  project: ["look"],
  variable: ["v"],
  time_frequency: ["mon"],
  model: [file],
  experiment: ["x"],
  product: ["p"],
  institute: ["i"],
  ensemble: ["r1"],
  cmor_table: ["t"],
  grid_label: ["gn"],
  fs_type: "posix",
  format: "nc",
}));
let opened: OpenPage;
useBrowsing(service, async ({ openPage }) => {
  opened = await openPage("");
  await signInOn(opened.page, user.name);
});

afterAll(() => opened?.close());

async function look(file: string, more: Record<string, string>): Promise<Page> {
  const query = new URLSearchParams({ id: datasetId(files.path(file)), ...more });
  await opened.go(`look?${query}`);
  await accountLink(opened.page, user.name).waitFor();
  await drawn(opened.page);
  return opened.page;
}

/** What a picture is made of. */
const KINDS = {
  mean: { mean: "time" },
  minusTime: { index: "1", minus: "0" },
  minusMean: { index: "1", minus: "mean" },
  units: { units: "degC" },
  pressure: { units: "hPa" },
} as const;

/** The mean of the area in sight, as the page says it. */
const areaMean = async (page: Page): Promise<number | null> => {
  const told = page.locator(".look-summary > div").filter({ hasText: /^area mean/ });
  if ((await told.count()) === 0) return null;
  const text = (await told.locator("dd").innerText()).replaceAll("−", "-");
  return Number.parseFloat(text);
};

async function zonalMean(page: Page): Promise<string | null> {
  const panel = page.locator(".zonal");
  if ((await panel.count()) === 0) return null;
  await panel.locator("summary").first().click();
  await page.getByText("The zonal mean as a table").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "Save as CSV" }).click(),
  ]);
  return readFile(await file.path(), "utf8");
}

describe("means, differences and units of a first look", () => {
  it.each(CHOSEN)(
    "agree with xarray for $file, and so do the lines of code",
    async ({ file, variable }) => {
      const random = chance(SEED);
      const looks = [];
      for (const [kind, parameters] of Object.entries(KINDS)) {
        // Its chunks are so large that the service samples it.
        if (file === "big_chunks.nc" && /mean/i.test(kind)) continue;
        const page = await look(file, { show: variable, ...parameters });
        const shares = Array.from({ length: PIXELS }, () => [random(), random()] as const);
        looks.push({
          file,
          variable,
          kind,
          pixels: await pixels(page, shares),
          code: (await page.locator(".look-xarray pre").textContent()) ?? "",
          area: await areaMean(page),
          zonal: await zonalMean(page),
          sampled: (await page.getByText("so the service sampled").count()) > 0,
        });
      }
      const said = await runWithInput(
        [packagePath("test", "web", "look", "look_derived.py"), files.folder],
        JSON.stringify({ looks, token: user.token }),
      );
      expect([`SEED=${SEED}`, JSON.parse(said).wrong]).toEqual([`SEED=${SEED}`, []]);
    },
  );

  it("are refused in a sentence over time if the page would read too much", async () => {
    const { page } = opened;
    await opened.go(
      `look?${new URLSearchParams({ id: datasetId(files.path("big_chunks.nc")), mean: "time" })}`,
    );
    await page.getByText("would read too much of orog for this page").waitFor();
    await page.getByRole("button", { name: "Show one time as it is" }).click();
    await drawn(page);
    const offered = page.getByLabel("Show", { exact: true }).locator("option").last();
    expect(await offered.isDisabled()).toBe(true);
  });

  it("are shown with what is subtracted, and not at all for another grid", async () => {
    const { page } = opened;
    await opened.go(
      `look?${new URLSearchParams({
        look_file: files.path("regular.nc"),
        flavour: "native",
        minus_file: files.path("descending.nc"),
      })}`,
    );
    await page.getByText(/descending\.nc (?:lies on another grid|has no variable tas)/).waitFor();
    await page.getByRole("button", { name: "Show one time as it is" }).click();
    await drawn(page);
    await page.getByLabel("Minus").selectOption("another time");
    await page.getByRole("heading", { name: /minus 2000-01-16/ }).waitFor();
    await drawn(page);
    expect((await addressOf(page)).searchParams.get("colours")).toBe("RdBu_r");
    // At the time that is subtracted nothing is left.
    const [{ value } = { value: 1 }] = await pixels(page, [[0.5, 0.5]]);
    expect(value).toBe(0);
    await page.getByRole("button", { name: "Play time" }).click();
    await page.waitForURL(/index=[23]/);
    await page.getByRole("button", { name: "Pause time" }).click();
  });
});
