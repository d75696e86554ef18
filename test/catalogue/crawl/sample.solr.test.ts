/** `crawl` of the sample's files gives the first documents of the catalogue that is shipped. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { runHere } from "../../cli/command.js";

/** Folder of a project's files -> its standard. */
const TREES = {
  CMIP6: "cmip6",
  cmip5: "cmip5",
  cordex: "cordex",
  nextGEMS: "nextgems",
  observations: "freva",
  reanalysis: "freva",
};

type Document = Readonly<Record<string, unknown>> & { readonly file: string };

const documentsIn = (text: string): Document[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Document);

const byFile = (documents: readonly Document[]): Document[] =>
  [...documents].sort((a, b) => (a.file < b.file ? -1 : 1));

/** With one value or a list of one: both are the same to the index. */
const listed = (document: Document): object =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, [value].flat()]));

it("a crawl of the sample gives its catalogue, to the last field but those that no clone keeps", async () => {
  const crawls = Object.entries(TREES).map(async ([folder, standard]) => {
    const path = packagePath("data", "files", folder);
    const options = ["--dry-run", "--checksum", "--min-age", "0", "--dataset", "sample"];
    const { status, stdout, stderr } = await runHere([
      "crawl",
      path,
      "--drs",
      standard,
      ...options,
    ]);
    expect(stderr).toMatch(/^(Crawling: .*\n)+$/);
    expect(status, stderr).toBe(0);
    return documentsIn(stdout);
  });
  const crawled = (await Promise.all(crawls)).flat();
  const found = crawled.map(({ modified, inode, ...document }) => {
    expect(Date.parse(String(modified))).not.toBeNaN();
    expect(inode).toMatch(/^\d+$/);
    return document;
  });
  const catalogue = documentsIn(readFileSync(packagePath("data", "catalogue.jsonl"), "utf8"));
  const shipped = catalogue
    .filter(({ dataset }) => dataset === "sample")
    .map((document) => {
      const file = packagePath("data", document.file);
      expect(document.uri).toBe(document.file);
      return { ...document, file, uri: pathToFileURL(file).href };
    });
  expect(shipped).toHaveLength(26);
  expect(byFile(found).map(listed)).toEqual(byFile(shipped).map(listed));
});
