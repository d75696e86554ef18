/** Names of datasets, by the standard that a document follows. */
import { describe, expect, it } from "vitest";
import { datasetId } from "../../../src/domain/vocabulary/dataset-id.js";
import { DETAIL_NAMES } from "../../../src/domain/vocabulary/details.js";
import { FACET_NAMES } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOUR_NAMES, FLAVOURS, translation } from "../../../src/domain/vocabulary/flavours.js";
import { versioned } from "../../../src/domain/vocabulary/versioned.js";
import { sampleDocuments } from "../../support/service/sample.js";

type Document = Record<string, unknown>;

const sample = sampleDocuments<Document>();
const of = (project: string) =>
  sample.find((document) => String(document.project) === project) as Document;

describe("the name of a dataset", () => {
  it.each([
    ["CMIP6", "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn", "v20190710"],
    ["CMIP5", "cmip5.output1.MPI-M.MPI-ESM-LR.rcp45.mon.atmos.Amon.r1i1p1", "v20120625"],
    [
      "CORDEX",
      "cordex.output.EUR-44.CLMcom.MPI-M-MPI-ESM-LR.historical.r1i1p1.CLMcom-CCLM4-8-17.v1.mon.tas",
      "v20140515",
    ],
    ["nextGEMS", "nextGEMS.nextgems_cycle3.MPI-M.ICON.ngc3028.atm.2d.day.mean.hpz3", "v20230405"],
  ])("is made from the facets: %s is %s", (project, name, version) => {
    expect(datasetId(of(project))).toBe(name);
    expect(versioned(datasetId(of(project)), of(project).version)).toBe(`${name}.${version}`);
    expect(versioned(datasetId(of(project)), undefined)).toBe(name);
  });

  it("follows the standards of CMIP7 and CORDEX-CMIP6", () => {
    const cmip7 = {
      project: "CMIP7",
      product: "CMIP",
      institute: "CCCma",
      model: "CanESM6-MR",
      experiment: "historical",
      ensemble: "r2i1p1f1",
      region: "glb",
      time_frequency: "mon",
      variable: "tas",
      branding_suffix: "tavg-h2m-hxy-u",
      grid_label: "g13s",
    };
    expect(versioned(datasetId(cmip7), "20250622")).toBe(
      "MIP-DRS7.CMIP7.CMIP.CCCma.CanESM6-MR.historical.r2i1p1f1.glb.mon.tas.tavg-h2m-hxy-u.g13s.v20250622",
    );
    const cordex = {
      project: "CORDEX-CMIP6",
      product: "EUR-12",
      institute: "GERICS",
      driving_model: "MPI-ESM1-2-HR",
      experiment: "ssp370",
      ensemble: "r1i1p1f1",
      model: "REMO2020",
      rcm_version: "v1-r1",
      time_frequency: "mon",
      variable: "tas",
    };
    expect(datasetId(cordex)).toBe(
      "CORDEX-CMIP6.DD.EUR-12.GERICS.MPI-ESM1-2-HR.ssp370.r1i1p1f1.REMO2020.v1-r1.mon.tas",
    );
  });

  it("is the same wherever a copy is stored, and in every form of an index's values", () => {
    for (const document of sample) {
      const name = datasetId(document);
      expect(name).toBeTypeOf("string");
      const copy = {
        ...document,
        fs_type: "hsm",
        dataset: "archive",
        user: "someone",
        format: "zarr",
        file: "/elsewhere",
        uri: undefined,
        time: "fx",
        bbox: undefined,
      };
      expect(datasetId(copy)).toBe(name);
      const turned = Object.entries(document).map(([field, value]) => {
        if (Array.isArray(value)) return [field, [...value].reverse()];
        return [field, field in copy ? value : [value]];
      });
      expect(datasetId(Object.fromEntries(turned))).toBe(name);
    }
  });

  it("has all given facets for less than a standard requires, and is none for too little", () => {
    const { cmor_table: _, ...less } = of("CMIP6");
    expect(datasetId(less)).toBe(
      "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.mon.atmos.tas.r1i1p1f1.mean.gn.2d",
    );
    expect(datasetId({ ...of("CMIP6"), grid_label: undefined })).toBe(datasetId(of("CMIP6")));
    expect(datasetId({ ...of("CMIP6"), cmor_table: ["", null] })).toBe(datasetId(less));
    expect(datasetId({ file: "/a", variable: ["tas"], time_frequency: "mon" })).toBeUndefined();
    expect(datasetId({ project: "x", variable: ["tas"] })).toBeUndefined();
    expect(datasetId({ project: "__proto__", model: 7 })).toBe("__proto__.7.mean.gn.2d");
  });
});

describe("details", () => {
  it.each(FLAVOUR_NAMES)("have names that no facet has in %s", (flavour) => {
    const names = new Set<string>(FACET_NAMES.map(translation(FLAVOURS[flavour]).name));
    for (const detail of DETAIL_NAMES) expect(names).not.toContain(detail);
  });
});
