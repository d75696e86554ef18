/** Downloads from the page: the script of a dataset, and single files by the browser itself. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { useBrowsing } from "../../support/page/page.js";
import { signInOn } from "../../support/page/page-sign-in.js";
import { addUser } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

const service = useService({ documents: "sample" });
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
