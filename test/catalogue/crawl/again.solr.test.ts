/** `crawl --again` of what is in the index already. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { freshFolder } from "../../support/run/folders.js";
import { emptyIndex, load, testClient } from "../../support/service/service.js";
import { contents, counted, crawl, putCmip6 } from "./tree.js";

const solr = testClient();
let root: string;

beforeEach(async () => {
  root = freshFolder();
  await emptyIndex(solr);
});

const STANDARD = `
name: mine
facets: { project: mine }
folders: ["{product}/{institute}/{model}/{experiment}/{ensemble}/{cmor_table}/{variable}/{grid_label}/{version}"]
files: ["{variable}_{_}_{model}_{experiment}_{ensemble}_{grid_label}[_{time}]"]
`;

describe("crawl --again", () => {
  it("describes unchanged files by a changed standard; what only the index knows of them stays", async () => {
    const file = await putCmip6(root);
    const standard = join(root, "mine.yaml");
    const again = (...options: readonly string[]) => crawl(["--drs", standard, root, ...options]);
    await writeFile(standard, STANDARD);
    await again("--checksum");
    const [before] = await contents(solr, "files");
    await load(solr, [{ ...before, file, retracted: true }]);
    await writeFile(standard, STANDARD.replace("mine }", "ours }"));
    const without = await again("--dataset", "pool");
    expect(without.status, without.stderr).toBe(0);
    expect(counted(without.stderr, "unchanged")).toBe(1);
    expect(await contents(solr, "files")).toMatchObject([{ file, project: ["mine"] }]);
    const all = await again("--dataset", "pool", "--again");
    expect(all.status, all.stderr).toBe(0);
    expect(counted(all.stderr, "read again")).toBe(1);
    const { checksum, version } = before as Readonly<Record<string, unknown>>;
    expect(checksum).toMatch(/^sha256:/);
    expect(await contents(solr, "files")).toMatchObject([
      { file, project: ["ours"], dataset: "pool", retracted: true, checksum, version },
    ]);
  });
});
