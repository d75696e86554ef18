/** The page of one dataset: its address, what it says, and where it leads. */
import { beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { drawn } from "../../support/page/drawn.js";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { signInOn } from "../../support/page/page-sign-in.js";
import { pythonOf, runWithInput } from "../../support/programs/python.js";
import { load } from "../../support/service/service.js";
import { signIn } from "../../support/service/sign-in.js";
import { useService, useUser } from "../../support/service/use-service.js";

const NAME = "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn";
const OWN = "own project.m.e.v.mean.gn.2d";
const at = (name: string): string =>
  `dataset?${new URLSearchParams({ dataset_id: name, flavour: "cmip6" })}`;

/** Two versions, the older one withdrawn, on tape. */
const old = (version: string, retracted: boolean) => ({
  project: ["CMIP6"],
  product: ["CMIP"],
  institute: ["X"],
  experiment: ["amip"],
  model: ["old"],
  ensemble: ["r1i1p1f1"],
  cmor_table: ["Amon"],
  variable: ["pr"],
  time_frequency: ["mon"],
  grid_label: ["gn"],
  version,
  retracted,
  fs_type: "hsm",
  time: "[1980-01-01T00:00:00Z TO 1989-12-31T23:59:59Z]",
  file: `/tape/${version}/pr.nc`,
});

const service = useService({ dataRoots: [packagePath("data")], documents: "sample" });
const name = useUser(service);
beforeAll(async () => {
  const own = { project: "own project", model: "m", experiment: "e", variable: "v", version: "v7" };
  const added = [old("v20190101", true), old("v20200101", false), { ...own, file: "/own/v.nc" }];
  await load(service.solr, added);
});
const browsing = useBrowsing(service);

describe("the page of a dataset", () => {
  it("is reached from a row, is complete without a sign-in, and Back leads to the results", async () => {
    const { page, close } = await browsing.openPage(
      "?flavour=cmip6&dataset=sample&variable_id=tas",
    );
    const row = page.getByRole("row", { name: NAME });
    await row.getByRole("link", { name: NAME, exact: false }).first().click();
    await page.getByRole("heading", { level: 1, name: "Near-surface air temperature" }).waitFor();
    expect((await addressOf(page)).searchParams.get("dataset_id")).toBe(NAME);
    const main = page.getByRole("main");
    for (const said of [
      "1985 to 1999",
      "v20190710",
      "Apache-2.0 (synthetic sample)",
      "air_temperature",
      "all longitudes, 90°S to 90°N",
      "3 of 3 files shown",
      "sha256:f7ef24b424dd",
      "disk: 3 files",
      "All-forcing simulation of the recent past",
    ]) {
      await main.getByText(said).first().waitFor();
    }
    expect(await page.locator(".dataset-cite").innerText()).toContain(
      `MPI-M: ${NAME}, version v2019`,
    );
    const links = await page
      .locator(".dataset-links a")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(links.slice(0, 3)).toEqual(
      ["bibtex", "csl-json", "text"].map((form) =>
        expect.stringMatching(`/databrowser/cite/cmip6\\?dataset_id=CMIP6\\..*&format=${form}$`),
      ),
    );
    expect(links.slice(3)).toEqual([
      "https://www.wdc-climate.de/ui/cmip6?input=CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical",
      expect.stringMatching(/^https:\/\/hdl\.handle\.net\/21\.14100\//),
      expect.stringMatching(/^https:\/\/furtherinfo\.es-doc\.org\//),
    ]);
    // A value leads to everything that has it.
    await page.getByRole("definition").getByRole("link", { name: "MPI-M", exact: true }).click();
    await page.waitForURL(/institution_id=MPI-M/);
    await page.goBack();
    await page.goBack();
    await row.waitFor();
    await close();
  });

  it.each([
    [NAME, "cmip6", `${NAME}.v20190710`],
    [OWN, "native", `${OWN}.v7`],
  ])(
    "leads to the item of %s in the STAC API, beside code for pystac-client",
    async (dataset, flavour, id) => {
      const query = new URLSearchParams({ dataset_id: dataset, flavour });
      const { page, close } = await browsing.openPage(`dataset?${query}`);
      const main = page.getByRole("main");
      const address = await main.getByRole("link", { name: "STAC item" }).getAttribute("href");
      const item = (await (await fetch(address ?? "")).json()) as { id: string; type: string };
      expect(item).toMatchObject({ type: "Feature", id });
      await main.getByText("pystac-client code").click();
      await main.getByText(`dataset_id = '${dataset}'`).waitFor();
      await close();
    },
  );

  it("shows the header, and links to a first look, of files that are read with the user's rights", async () => {
    const { page, close } = await browsing.openPage(at(NAME));
    await page.getByText("Header", { exact: true }).click();
    await page.getByRole("button", { name: "Sign in to view data" }).waitFor();
    await signInOn(page, name);
    await page.getByText("Header", { exact: true }).click();
    await page.getByRole("treeitem", { name: /tas float32/ }).waitFor();
    await page.getByRole("link", { name: "First look", exact: true }).click();
    const file = /tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_\d+-\d+\.nc$/;
    await page.getByRole("heading", { level: 1, name: file }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^tas_Amon_.*\.nc · First look · /);
    await page.getByRole("link", { name: "About this dataset" }).click();
    await page.getByRole("heading", { level: 1, name: "Near-surface air temperature" }).waitFor();
    await close();
  });

  it("leads from its row to a first look at all files as one, named by the dataset, whose header is read once", async () => {
    const { page, close } = await browsing.openPage("account");
    await signInOn(page, name);
    const read: string[] = [];
    page.context().on("request", (request) => {
      if (request.url().endsWith("/.zmetadata")) read.push(request.url());
    });
    const search = new URLSearchParams({ flavour: "cmip6", dataset_id: NAME });
    await page.goto(`${service.address}/?${search}&sort=size`);
    await page.getByRole("link", { name: `First look at ${NAME}` }).click();
    await page.getByRole("heading", { level: 1, name: NAME }).waitFor();
    await drawn(page);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).not.toMatch(/[\da-f]{8}-/);
    await expect.poll(() => page.title()).toMatch(`${NAME} · First look`);
    expect(read).toHaveLength(1);
    // The way back is to the results that it came from, and to their other views.
    await page.getByRole("link", { name: "To the search" }).click();
    expect((await addressOf(page)).search).toBe(`?${search}&sort=size`);
    await page.getByRole("link", { name: `First look at ${NAME}` }).click();
    await page.getByRole("heading", { level: 1, name: NAME }).waitFor();
    await page.getByRole("link", { name: "Coverage" }).click();
    await page.waitForURL(`${service.address}/coverage?${search}*`);
    await close();
  });

  it("has lines of Python that open all of its files as one", { tags: ["slow"] }, async () => {
    const { page, context, close } = await browsing.openPage(at(NAME));
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the code" }).click();
    const lines = await page.evaluate(() => navigator.clipboard.readText());
    const { access_token: token } = await signIn(service, name);
    const env = { ...process.env, TOKEN: token };
    expect(await runWithInput(["-"], lines, pythonOf(), env)).toMatch(/time: 180[,)]/);
    await close();
  });

  it("copies in a page without TLS, which has no API for the clipboard", async () => {
    const { page, context, close } = await browsing.openPage(at(NAME));
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "clipboard"));
    await page.reload();
    const button = page.getByRole("button", { name: "Copy the name" });
    await button.click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await button.waitFor();
    await page.getByRole("combobox", { name: "Search the archive" }).focus();
    await page.keyboard.press("Control+v");
    await page.getByText(`“${NAME}”`).waitFor();
    await close();
  });

  it("shows what is withdrawn and on tape, without a first look, and reports an unknown name", async () => {
    const { page, go, close } = await browsing.openPage(
      at("CMIP6.CMIP.X.old.amip.r1i1p1f1.Amon.pr.gn"),
    );
    await page.getByText("The files are on tape.").waitFor();
    expect(await page.getByRole("link", { name: /^First look/ }).count()).toBe(0);
    const versions = page.getByRole("region", { name: "Versions" }).getByRole("listitem");
    expect(await versions.allInnerTexts()).toEqual([
      expect.stringMatching(/^v20200101 1 file, 1980 to 1989 current/),
      expect.stringMatching(/^v20190101 1 file, 1980 to 1989\s+Retracted/),
    ]);
    await page.getByText("2 of 2 files shown").waitFor();
    await go(at("CMIP6.*"));
    await page.getByText("No file that you may see belongs to this dataset.").waitFor();
    await go("dataset");
    await page.getByText("Each dataset in the results").waitFor();
    await close();
  });

  it("has no fault for axe, at any width and in light and dark", {
    tags: ["slow"],
  }, async () => {
    await expectAccessible(browsing, at(NAME), (page) =>
      page.getByText("3 of 3 files shown").waitFor(),
    );
  });
});
