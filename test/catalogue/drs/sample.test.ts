/** The paths of the package's sample catalogue, by each standard (what is in the files: test/catalogue/crawl/sample.solr.test.ts). */
import { describe, expect, it } from "vitest";
import { loadStandard } from "../../../src/catalogue/drs/index.js";
import { sampleDocuments } from "../../support/service/sample.js";

const STANDARDS: Readonly<Record<string, string>> = {
  CMIP6: "cmip6",
  CMIP5: "cmip5",
  CORDEX: "cordex",
  nextGEMS: "nextgems",
  observations: "freva",
  reanalysis: "freva",
};

type Listed = Readonly<Record<string, string | readonly string[]>> & { readonly file: string };

const catalogue = sampleDocuments<Listed>().filter(({ project }) =>
  Object.hasOwn(STANDARDS, [project].flat()[0] ?? ""),
);
describe("paths whose files are never opened", () => {
  const paths = catalogue.filter(
    ({ dataset, format, version }) =>
      dataset !== "sample" && format !== "grb" && version !== undefined,
  );

  it.each(Object.entries(STANDARDS))("give the facets of %s", async (project, name) => {
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
