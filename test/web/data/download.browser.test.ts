/** Downloads from the page: the script of a dataset, and single files by the browser itself. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { useBrowsing } from "../../support/page/page.js";
import { signInOn } from "../../support/page/page-sign-in.js";
import { makeFlavour } from "../../support/service/flavours.js";
import { addUser, bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";

const service = useService({ documents: "sample" });
const user = usePerson(service);
const browsing = useBrowsing(service);

const FEW =
  "?flavour=cmip6&source_id=MPI-ESM1-2-LR&variable_id=tas&experiment_id=historical&dataset=sample";

it("the page saves the script of a dataset, and lets the browser download a file with a ticket", async () => {
  const { page, close } = await browsing.openPage(FEW);
  const { name } = await addUser(service.dataDir);
  await signInOn(page, name);
  const row = page.getByRole("row").filter({ hasText: "historical.r1i1p1f1.Amon.tas.gn" }).first();
  const script = page.waitForEvent("download");
  await row.getByRole("button", { name: /^Download / }).click();
  const saved = await script;
  expect(saved.suggestedFilename()).toBe("download.sh");
  const text = await readFile(await saved.path(), "utf8");
  expect(text).toMatch(/^#!\/bin\/sh\n/);
  expect(text).toMatch(/\nFILES=\d+ BYTES=\d+ UNSIZED=\d+ STORES=0 ELSEWHERE=0\nmain "\$@"\n$/);
  await row.getByRole("button", { name: /files of / }).click();
  const path = await page.getByRole("cell", { name: /\.nc$/ }).first().innerText();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: `Download ${path}` }).click();
  const download = await file;
  expect(download.suggestedFilename()).toBe(path.split("/").at(-1));
  const bytes = await readFile(await download.path());
  expect(bytes.equals(await readFile(path))).toBe(true);
  await close();
});

it("the page says beside the button why a download is refused", async () => {
  const { page, close } = await browsing.openPage(FEW);
  const detail = "These files are not yours to download.";
  await page.route("**/databrowser/download/**", (route) =>
    route.fulfill({ status: 403, json: { detail } }),
  );
  const row = page.getByRole("row").filter({ hasText: "historical.r1i1p1f1.Amon.tas.gn" }).first();
  await row.getByRole("button", { name: /^Download / }).click();
  await row.getByRole("alert").getByText(detail).waitFor();
  await close();
});

it("the page saves lists, tables and citations in a vocabulary that only the signed-in user knows", async () => {
  await makeFlavour(service, user, "my-lab", { model: "gcm" });
  const { page, go, close } = await browsing.openPage("account");
  await signInOn(page, user.name);
  const dataset = "dataset_id=CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn";
  const search = "project=cmip6&gcm=mpi-esm1-2-lr&variable=tas";
  const table = "rows=gcm&columns=experiment";
  const groups = "group_by=gcm&need=variable:tas";
  const list = "/my-lab/file";
  for (const [view, link, file, answer] of [
    [
      `coverage?${search}&${table}`,
      "Download as CSV",
      "coverage-my-lab.csv",
      `coverage/my-lab?${search}&${table}&format=csv`,
    ],
    [
      `complete?${search}&${groups}`,
      "Path list",
      "paths.txt",
      `data-search${list}?${search}&${groups}`,
    ],
    [
      `dataset?${dataset}`,
      "Citation as BibTeX",
      "citation.bib",
      `cite/my-lab?${dataset}&format=bibtex`,
    ],
    [
      `dataset?${dataset}`,
      "intake-esm catalogue",
      "catalogue.json",
      `intake-catalogue${list}?${dataset}`,
    ],
  ] as const) {
    await go(`${view}&flavour=my-lab`);
    const arrives = page.waitForEvent("download");
    await page.getByRole("link", { name: link }).click();
    const saved = await arrives;
    expect(saved.suggestedFilename()).toBe(file);
    const expected = await service.get(`/databrowser/${answer}`, bearer(user.token));
    expect([link, expected.status]).toEqual([link, 200]);
    expect(await readFile(await saved.path(), "utf8")).toBe(await expected.text());
  }
  await close();
});
