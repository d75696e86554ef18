/** The files of the package's sample, by path and header, as its catalogue has them. */
import { readFileSync, statSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { describeFile, type FileDescription } from "../../src/crawl/describe-file.js";
import { loadStandard } from "../../src/drs/index.js";
import { packagePath } from "../../src/package-root.js";
import { Datasets } from "../../src/zarr/datasets.js";

const STANDARDS: Readonly<Record<string, string>> = {
  CMIP6: "cmip6",
  CMIP5: "cmip5",
  CORDEX: "cordex",
  nextGEMS: "nextgems",
  observations: "freva",
  reanalysis: "freva",
};

type Listed = Readonly<Record<string, string | readonly string[]>> & { readonly file: string };

const catalogue = readFileSync(packagePath("data", "catalogue.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Listed)
  .filter(({ project }) => Object.hasOwn(STANDARDS, [project].flat()[0] ?? ""));
const standardOf = ({ project }: Listed) =>
  loadStandard(STANDARDS[[project].flat()[0] ?? ""] as string);

const datasets = new Datasets();
afterAll(() => datasets.close());

const documentOf = (description: FileDescription) => {
  if ("reason" in description) throw new Error(description.reason);
  return description.document;
};

const WITH_FILES = catalogue.filter(({ dataset }) => dataset === "sample");

/** What nothing in path or header says: the schema's defaults, and what only the catalogue's makers knew. */
const NOT_TOLD = ["grid_label", "grid_id", "time_aggregation", "bbox", "uri", "file"];

it.each(WITH_FILES.map((listed) => [listed.file.split("/").at(-1), listed]))(
  "describes %s as the catalogue does",
  async (_name, listed) => {
    const file = packagePath("data", (listed as Listed).file);
    const { size, mtimeMs, ino } = statSync(file);
    const found = { path: file, kind: "file" as const, size, modified: mtimeMs, inode: `${ino}` };
    const standard = await standardOf(listed as Listed);
    const context = { standard, datasets, facets: {}, checksum: false, collection: "sample" };
    const description = await describeFile(found, context);
    expect(description).toMatchObject({ notes: [] });
    const document = documentOf(description);
    for (const [field, value] of Object.entries(listed as Listed)) {
      if (NOT_TOLD.includes(field)) continue;
      expect([document[field]].flat(), field).toEqual([value].flat());
    }
    expect(document).toMatchObject({ file, size, modified: new Date(mtimeMs).toISOString() });
    for (const field of ["tracking_id", "license", "standard_name", "long_name", "units", "bbox"]) {
      expect(document[field], field).toBeTruthy();
    }
  },
);

describe("paths whose files are never opened", () => {
  const paths = catalogue.filter(
    ({ dataset, format, version }) =>
      dataset !== "sample" && format !== "grb" && version !== undefined,
  );

  it.each(Object.entries(STANDARDS))("tell the facets of %s", async (project, name) => {
    const standard = await loadStandard(name);
    const own = paths.filter((listed) => [listed.project].flat()[0] === project);
    expect(own.length).toBeGreaterThan(10);
    for (const listed of own) {
      const read = standard.read(listed.file);
      if ("reason" in read) throw new Error(`${listed.file}: ${read.reason}`);
      expect(read.version).toBe(listed.version);
      for (const [facet, value] of Object.entries(read.facets)) {
        expect([value].flat(), `${facet} of ${listed.file}`).toEqual([listed[facet]].flat());
      }
    }
  });
});
