/** What headers say in the words of each standard, and what becomes of those that say odd things. */
import { describe, expect, it } from "vitest";
import {
  allAttributeNames,
  attributesOf,
  loadStandard,
  recognisedStandard,
} from "../../../src/catalogue/drs/index.js";
import type { AttributeValue, Header } from "../../../src/files/cf/header.js";
import { expectBelow } from "../../support/run/bounds.js";

type Given = Readonly<Record<string, AttributeValue>>;

const TAS: Given = {
  standard_name: "air_temperature",
  long_name: "Near-Surface Air Temperature",
  units: "K",
};

function header(
  attributes: Given,
  variables: Readonly<Record<string, Given>> = { tas: TAS },
): Header {
  return {
    attributes: new Map(Object.entries(attributes)),
    variables: Object.entries(variables).map(([name, own]) => ({
      path: name,
      name,
      dimensions: ["time", "lat"],
      shape: [2, 2],
      type: "<f4",
      attributes: new Map(Object.entries(own)),
    })),
  };
}

const said = (of: Header) =>
  attributesOf(of, recognisedStandard(of)?.definition ?? allAttributeNames());

const CMIP6: Given = {
  mip_era: "CMIP6",
  activity_id: "CMIP",
  institution_id: "MPI-M",
  source_id: "MPI-ESM1-2-LR",
  experiment_id: "historical",
  variant_label: "r1i1p1f1",
  sub_experiment_id: "none",
  table_id: "Amon",
  variable_id: "tas",
  grid_label: "gn",
  frequency: "mon",
  realm: "atmos",
  nominal_resolution: "250 km",
  tracking_id: "hdl:21.14100/x",
  license: "CC BY 4.0",
  further_info_url: "https://example.org",
};

describe("the attributes of a header", () => {
  it("give the facets of CMIP6", () => {
    expect(said(header(CMIP6))).toEqual({
      facets: {
        project: "CMIP6",
        product: "CMIP",
        institute: "MPI-M",
        model: "MPI-ESM1-2-LR",
        experiment: "historical",
        ensemble: "r1i1p1f1",
        cmor_table: "Amon",
        variable: "tas",
        grid_label: "gn",
        time_frequency: "mon",
        realm: "atmos",
      },
      details: {
        ...TAS,
        nominal_resolution: "250 km",
        tracking_id: "hdl:21.14100/x",
        license: "CC BY 4.0",
        further_info_url: "https://example.org",
      },
      hints: {},
      version: undefined,
      notes: [],
    });
  });

  it("give the member of a sub-experiment of two, and several realms and activities", () => {
    const given = { ...CMIP6, sub_experiment_id: "s1960", realm: "atmos atmosChem" };
    expect(said(header({ ...given, activity_id: "ScenarioMIP AerChemMIP" })).facets).toMatchObject({
      ensemble: "s1960-r1i1p1f1",
      realm: ["atmos", "atmosChem"],
      product: ["ScenarioMIP", "AerChemMIP"],
    });
  });

  it("give the facets of CMIP7", () => {
    const given = { ...CMIP6, mip_era: "CMIP7", region: "glb", branding_suffix: "tavg-h2m-hxy-u" };
    const { facets } = said(header(given));
    expect(facets).toMatchObject({
      project: "CMIP7",
      ensemble: "r1i1p1f1",
      region: "glb",
      branding_suffix: "tavg-h2m-hxy-u",
    });
    expect(facets).not.toHaveProperty("cmor_table");
  });

  it("give the facets of CMIP5, with the member made of three numbers and the table of a sentence", () => {
    const given = {
      project_id: "CMIP5",
      institute_id: "MPI-M",
      model_id: "MPI-ESM-LR",
      experiment_id: "rcp45",
      realization: [1],
      initialization_method: [0],
      physics_version: [12],
      frequency: "mon",
      modeling_realm: "atmos land",
      table_id: "Table Amon (27 April 2011) a5a1c518f52ae340313ba0aada03f862",
      product: "output",
      tracking_id: "u-u-i-d",
    };
    expect(said(header(given))).toMatchObject({
      facets: {
        project: "CMIP5",
        institute: "MPI-M",
        model: "MPI-ESM-LR",
        experiment: "rcp45",
        ensemble: "r1i0p12",
        cmor_table: "Amon",
        realm: ["atmos", "land"],
      },
      hints: { product: "output" },
      details: { tracking_id: "u-u-i-d" },
    });
  });

  it("give the facets of CORDEX, whose model is the regional one", () => {
    const given = {
      project_id: "CORDEX",
      CORDEX_domain: "EUR-11",
      institute_id: "GERICS",
      driving_model_id: "NCC-NorESM1-M",
      driving_experiment_name: "rcp85",
      experiment_id: "rcp85",
      driving_model_ensemble_member: "r1i1p1",
      model_id: "GERICS-REMO2015",
      rcm_version_id: "v1",
      frequency: "3hr",
      table_id: "Table 3h (March 2015)",
    };
    expect(said(header(given)).facets).toEqual({
      project: "CORDEX",
      product: "EUR-11",
      institute: "GERICS",
      driving_model: "NCC-NorESM1-M",
      experiment: "rcp85",
      ensemble: "r1i1p1",
      rcm_name: "GERICS-REMO2015",
      rcm_version: "v1",
      time_frequency: "3hr",
    });
  });

  it("give the facets of CORDEX-CMIP6", () => {
    const given = {
      project_id: "CORDEX-CMIP6",
      mip_era: "CMIP6",
      activity_id: "DD",
      domain_id: "EUR-12",
      institution_id: "CLMcom-BTU",
      driving_source_id: "EC-Earth3-Veg",
      driving_experiment_id: "historical",
      driving_variant_label: "r1i1p1f1",
      source_id: "ICON-CLM-202407-1-1",
      version_realization: "v1-r1",
      frequency: "mon",
      variable_id: "tas",
    };
    expect(said(header(given)).facets).toEqual({
      project: "CORDEX-CMIP6",
      product: "EUR-12",
      institute: "CLMcom-BTU",
      driving_model: "EC-Earth3-Veg",
      experiment: "historical",
      ensemble: "r1i1p1f1",
      model: "ICON-CLM-202407-1-1",
      rcm_version: "v1-r1",
      time_frequency: "mon",
      variable: "tas",
    });
  });

  it("give the facets of obs4MIPs", () => {
    const given = {
      activity_id: "obs4MIPs",
      mip_era: "CMIP6",
      product: "observations",
      institution_id: "NASA-LaRC",
      source_id: "CERES-EBAF-4-2",
      variant_label: "RSS",
      frequency: "mon",
      variable_id: "tas",
      grid_label: "gn",
      realm: "atmos",
    };
    expect(said(header(given)).facets).toEqual({
      project: "obs4MIPs",
      product: "observations",
      institute: "NASA-LaRC",
      model: "CERES-EBAF-4-2",
      ensemble: "RSS",
      time_frequency: "mon",
      variable: "tas",
      grid_label: "gn",
      realm: "atmos",
    });
  });

  it("give the facets of files of no standard by the names that all of them have", () => {
    const { mip_era: _, ...given } = CMIP6;
    expect(said(header(given)).facets).toMatchObject({ model: "MPI-ESM1-2-LR", realm: "atmos" });
    expect(said(header({ institution: "Somewhere", title: "x" })).facets).toEqual({});
    const like = { ...CMIP6, mip_era: "CMIP6Plus", activity_id: "LESFMIP" };
    const more = { product: "model-output", sub_experiment_id: "s1960" };
    expect(said(header({ ...like, ...more })).facets).toMatchObject({
      project: "CMIP6Plus",
      product: "LESFMIP",
      ensemble: "s1960-r1i1p1f1",
    });
  });

  it("give each description once, however many variables share it", () => {
    const variables = { tas: TAS, tasmax: TAS, pr: { long_name: "Precipitation", units: "mm" } };
    expect(said(header({}, variables)).details).toEqual({
      standard_name: "air_temperature",
      long_name: [TAS.long_name, "Precipitation"],
      units: ["K", "mm"],
    });
  });
});

describe("a header with odd values", () => {
  it.each([
    ["nothing", ""],
    ["that there is nothing", "N/A"],
    ["that it is not known", "unknown"],
    ["numbers", [1, 2, 3]],
    ["no numbers at all", []],
    ["several texts", ["a", "b"]],
    ["half a character", "MPI\ud800"],
  ])("gives no facet for %s", (_, value) => {
    expect(said(header({ ...CMIP6, source_id: value })).facets).not.toHaveProperty("model");
  });

  it("gives one line for several, without invisible characters", () => {
    const given = { ...CMIP6, source_id: " MPI-\u0000\n\t ESM ", table_id: [3], license: "a\nb" };
    expect(said(header(given))).toMatchObject({
      facets: { model: "MPI- ESM", cmor_table: "3" },
      details: { license: "a b" },
    });
  });

  it("gives no frequency that does not exist", () => {
    const given = { ...CMIP6, frequency: "every now and then" };
    expect(said(header(given)).facets).not.toHaveProperty("time_frequency");
  });

  it("loses values that are too long, and this is reported", () => {
    const given = { ...CMIP6, source_id: "x".repeat(501), license: "y".repeat(10_000_000) };
    const { facets, details, notes } = said(header(given));
    expect(facets).not.toHaveProperty("model");
    expect(details).not.toHaveProperty("license");
    expect(notes).toEqual([
      "license: left out, as the header says it in 10000000 characters",
      "model: left out, as the header says it in too many characters",
    ]);
  });

  it("may have thousands of variables, of which some are described", async () => {
    const variables = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`v${i}`, { long_name: `name ${i}`, units: "1" }]),
    );
    const begin = performance.now();
    const { details, notes } = said(header({}, variables));
    expect(details.long_name).toHaveLength(200);
    expect(notes).toEqual(["of 5000 data variables 200 are described"]);
    expectBelow(performance.now() - begin, 5000);
  });

  it("may use the names of every object's properties", async () => {
    const given = Object.fromEntries([["__proto__", "x"]]);
    const odd = { ...given, constructor: "y", toString: "z" } as unknown as Given;
    expect(attributesOf(header(odd), (await loadStandard("cmip6")).definition).facets).toEqual({});
  });
});
