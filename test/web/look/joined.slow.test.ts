/** The first look of a dataset of several files, from its row in the results. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeJoins } from "../../files/zarr/joins/joins.js";
import { drawn, pixels } from "../../support/page/drawn.js";
import { addressOf, type OpenPage, useBrowsing } from "../../support/page/page.js";
import { signInOn } from "../../support/page/page-sign-in.js";
import { freshFolder } from "../../support/run/folders.js";
import type { TestDocument } from "../../support/service/service.js";
import { useService, useUser } from "../../support/service/use-service.js";

/** Files of one dataset of CMIP5, of which one store has one variable. */
const TWO_VARIABLES = "other_variables_at_the_same_times";

const folder = freshFolder();
let documents: readonly TestDocument[];
beforeAll(async () => {
  const sets = await makeJoins(folder, "aligned", "units_of_data", TWO_VARIABLES);
  documents = sets.flatMap((set) =>
    set.files.map((file) => ({
      file: join(set.folder, file),
      project: [set.name === TWO_VARIABLES ? "CMIP5" : "look"],
      variable: [set.name === TWO_VARIABLES ? (file.split("_")[0] ?? "") : "tas"],
      ...{ time_frequency: ["day"], model: [set.name], realm: ["atmos"] },
      ...{ experiment: ["x"], product: ["p"], institute: ["i"], ensemble: ["r1"] },
      ...{ cmor_table: ["t"], grid_label: ["gn"], fs_type: "posix", format: "nc" },
    })),
  );
});
const service = useService(() => ({ dataRoots: [folder], documents }));
const name = useUser(service);
let opened: OpenPage;
useBrowsing(service, async ({ openPage }) => {
  opened = await openPage("");
  await signInOn(opened.page, name);
});
afterAll(() => opened?.close());

/** Opens the first look of a set from its row. */
async function lookFromRow(set: string): Promise<void> {
  const { page, go } = opened;
  await go(`?model=${set}`);
  await page
    .getByRole("link", { name: /^First look at/ })
    .first()
    .click();
  await drawn(page);
}

describe("the first look of a dataset", () => {
  it("opens all files of the dataset as one, with one slider over them", async () => {
    const { page } = opened;
    await lookFromRow("aligned");
    const slider = page.getByRole("slider", { name: "time" });
    expect(await slider.getAttribute("max")).toBe("11");
    const seen = new Set<string>();
    for (const [step, date] of [
      ["0", "2000-01-01"],
      ["4", "2000-01-05"],
      ["11", "2000-01-12"],
    ] as const) {
      await page.getByRole("spinbutton", { name: "Index of time" }).fill(step);
      await page.getByRole("heading", { name: date }).waitFor();
      await drawn(page);
      const [pixel] = await pixels(page, [[0.4, 0.4]]);
      seen.add(String(pixel?.value));
    }
    expect(seen.size).toBe(3);
  });

  it("opens all files with the variable of the example, where the dataset has several", async () => {
    const { page, go } = opened;
    await lookFromRow(TWO_VARIABLES);
    const own = await addressOf(page);
    for (const variable of ["pr", "tas"]) {
      own.searchParams.set("look_file", join(folder, TWO_VARIABLES, `${variable}_0.nc`));
      await go(`look${own.search}`);
      await drawn(page);
      const chosen = page.getByLabel("Variable").locator("option:checked");
      expect(await chosen.textContent()).toContain(variable);
      expect(await page.getByRole("slider", { name: "time" }).getAttribute("max")).toBe("7");
    }
  });

  it("says why files are not one, and shows the first of them", async () => {
    const { page } = opened;
    await lookFromRow("units_of_data");
    await page.getByText(/not shown as one.*The units of tas differ: "K" in part0\.nc/).waitFor();
    expect(await page.getByRole("slider", { name: "time" }).getAttribute("max")).toBe("3");
  });
});

describe("the cart", () => {
  it("has one zarr address for each dataset, or one for each file", async () => {
    const { page, go } = opened;
    await go("?model=aligned");
    await page
      .getByRole("button", { name: /^Add to cart/ })
      .first()
      .click();
    await go("cart?as=zarr");
    const saved = async (): Promise<string[]> => {
      const waiting = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download", exact: true }).click();
      return (await readFile(await (await waiting).path(), "utf8")).trim().split("\n");
    };
    expect(await saved()).toEqual([expect.stringMatching(/-5[0-9a-f]{3}-[^/]*\.zarr$/)]);
    await page.getByRole("checkbox", { name: /One address for each dataset/ }).uncheck();
    expect(await saved()).toHaveLength(3);
  });
});
