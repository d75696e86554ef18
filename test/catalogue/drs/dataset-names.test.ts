/** Names of datasets, from a path alone and from the path with the header. */
import { describe, expect, it } from "vitest";
import { fileFacts } from "../../../src/catalogue/crawl/describe/file-facts.js";
import { loadStandard } from "../../../src/catalogue/drs/index.js";
import { datasetVersion } from "../../../src/index/loading/version.js";

/** The facts of a file: of the path alone without attributes. */
async function factsOf(standard: string, file: string, attributes?: Record<string, string>) {
  const opened = attributes && {
    header: { attributes: new Map(Object.entries(attributes)), variables: [] },
    description: {
      variable: { reason: "has none" },
      time: { value: "[2006-01-01T00:00:00Z TO 2010-12-31T23:59:59Z]" },
      time_frequency: { reason: "has none" },
      bbox: undefined,
    },
    format: "nc",
    broken: [],
  };
  const { fields, notes } = fileFacts(file, await loadStandard(standard), opened);
  return { fields, notes, ...datasetVersion({ ...fields, file }) };
}

describe("two bias adjustments of one regional run", () => {
  const METHODS = ["SMHI-DBS45-MESAN-1989-2010", "METNO-QMAP-MESAN-1989-2010"];
  const pathOf = (method: string) =>
    `/x/bias-adjusted-output/EUR-11/SMHI/ICHEC-EC-EARTH/rcp85/r12i1p1/RCA4/v1-${method}/day/tasAdjust/v20160919/` +
    `tasAdjust_EUR-11_ICHEC-EC-EARTH_rcp85_r12i1p1_SMHI-RCA4_v1-${method}_day_20060101-20101231.nc`;
  const headerOf = (method: string) => ({
    project_id: "CORDEX-Adjust",
    CORDEX_domain: "EUR-11",
    rcm_version_id: "v1",
    bc_info: method,
  });

  it("are two datasets of CORDEX-Adjust, in an archive as on disk", async () => {
    const archived = await Promise.all(METHODS.map((one) => factsOf("cordex", pathOf(one))));
    const opened = await Promise.all(
      METHODS.map((one) => factsOf("cordex", pathOf(one), headerOf(one))),
    );
    for (const facts of [archived, opened]) {
      for (const [i, { fields, notes }] of facts.entries()) {
        expect(fields).toMatchObject({
          project: "CORDEX-Adjust",
          rcm_version: `v1-${METHODS[i]}`,
          variable: "tasAdjust",
        });
        expect(notes.filter((note) => !note.startsWith("rcm_name"))).toEqual([]);
      }
    }
    const names = opened.map(({ dataset }) => dataset);
    expect(new Set(names).size).toBe(2);
    expect(archived.map(({ dataset }) => dataset)).toEqual(names);
  });
});
