import { describe, expect, it } from "vitest";
import type { MetadataSearchResult, Overview, Problem } from "../../../generated/schemas.js";
import { load, postToSolr, type TestDocument } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";

const DOCUMENTS: TestDocument[] = [
  {
    file: "/data/CMIP6/tas/gn/v20190710/tas_1985.nc",
    uri: "slk:///arch/tas_1985.nc",
    project: ["CMIP6"],
    product: ["CMIP"],
    model: ["MPI-ESM1-2-LR"],
    experiment: ["historical"],
    variable: ["tas"],
    time: "[1985-01-01T00:00:00Z TO 1985-12-31T23:59:59Z]",
    bbox: "ENVELOPE(-180,180,90,-90)",
  },
  {
    file: "/data/CMIP6/tas/gn/v20200101/tas_1985.nc",
    uri: "slk:///arch/tas_1985_new.nc",
    project: ["CMIP6"],
    product: ["CMIP"],
    model: ["MPI-ESM1-2-LR"],
    experiment: ["historical"],
    variable: ["tas"],
    time: "[1985-01 TO 1985-12]",
    bbox: "ENVELOPE(-180,180,90,-90)",
  },
  {
    file: "/data/CMIP6/pr/gn/v20190710/pr_1986.nc",
    project: ["CMIP6"],
    product: ["ScenarioMIP"],
    model: ["UKESM1-0-LL"],
    experiment: ["ssp585"],
    variable: ["pr", "tas"],
    time: "[1986-01-01T00:00:00Z TO 1986-12-31T23:59:59Z]",
  },
  {
    file: '/data/odd "name" (1) [a]*?\\ AND OR.nc',
    uri: "/data/odd",
    project: ["odd: (a OR b) && !c ~1^2"],
    variable: ["TAS"],
    level_type: ["3d"],
    format: "zarr",
  },
  { file: "/data/line\nbreak.nc", uri: "file:///line", project: ["breaks"] },
  { file: "/home/jane/own.nc", uri: "file:///own", project: ["mine"], user: "jane" },
];

const service = useService({ documents: DOCUMENTS });

const query = (parameters: Record<string, string | string[]>): string => {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) search.append(name, value);
  }
  return `?${search}`;
};

async function list(
  flavour: string,
  parameters: Record<string, string | string[]> = {},
  key = "file",
): Promise<string[]> {
  const response = await service.get(
    `/databrowser/data-search/${flavour}/${key}${query(parameters)}`,
  );
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.text()).split("\n").slice(0, -1);
}

async function count(
  flavour: string,
  parameters: Record<string, string | string[]> = {},
): Promise<MetadataSearchResult> {
  const response = await service.get(
    `/databrowser/metadata-search/${flavour}/file${query(parameters)}`,
  );
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as MetadataSearchResult;
}

/** Sends documents or commands straight to Solr's update handler, as an outside crawler does. */
async function update(given: object): Promise<void> {
  const body = Array.isArray(given) ? given.map((one) => ({ ...one, latest: true })) : given;
  await postToSolr(service.solr, body);
}

async function refused(path: string): Promise<Problem> {
  const response = await service.get(path);
  expect(response.status, await response.clone().text()).toBe(422);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return (await response.json()) as Problem;
}

const NEWEST = [
  '/data/odd "name" (1) [a]*?\\ AND OR.nc',
  "/data/line%0Abreak.nc",
  "/data/CMIP6/tas/gn/v20200101/tas_1985.nc",
  "/data/CMIP6/pr/gn/v20190710/pr_1986.nc",
];

describe("data-search", () => {
  it("lists the newest versions, sorted by file in descending order", async () => {
    expect(await list("native")).toEqual(NEWEST);
  });

  it("lists every version with multi-version, however it is spelled", async () => {
    for (const name of ["multi-version", "multi_version"]) {
      for (const value of ["true", "T", "1", "Yes", "ON"]) {
        expect(await list("native", { [name]: value })).toHaveLength(5);
      }
      for (const value of ["false", "f", "0", "NO", "off"]) {
        expect(await list("native", { [name]: value })).toHaveLength(4);
      }
    }
  });

  it("omits exactly the first N with start", async () => {
    for (let start = 0; start <= 5; start++) {
      expect(await list("native", { start: String(start) })).toEqual(NEWEST.slice(start));
    }
  });

  it("lists only documents with a URI when URIs are requested, and counts the same", async () => {
    expect(await list("native", {}, "uri")).toEqual([
      "/data/odd",
      "file:///line",
      "slk:///arch/tas_1985_new.nc",
    ]);
    const response = await service.get("/databrowser/metadata-search/native/uri");
    expect(((await response.json()) as MetadataSearchResult).total_count).toBe(3);
  });

  it("is plain text that caches revalidate, and empty when nothing is found", async () => {
    const response = await service.get("/databrowser/data-search/cmip6/file?source_id=none");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toBe("");
  });

  it("shows user data in flavour user only", async () => {
    expect(await list("user")).toEqual(["/home/jane/own.nc"]);
    expect(await list("user", { user: "JANE", project: "mine" })).toHaveLength(1);
    expect(await list("native", { project: "mine" })).toEqual([]);
    expect(await list("native", { user: "jane" })).toEqual([]);
    const { errors } = await refused("/databrowser/data-search/cmip6/file?user=jane");
    expect(errors?.[0]?.reason).toBe("is a facet of user data, which the flavour user searches");
  });
});

describe("filters", () => {
  it("name facets as the flavour does", async () => {
    expect(await list("cmip6", { source_id: "ukesm1-0-ll" })).toHaveLength(1);
    expect(await list("cmip5", { model_id: "UKESM1-0-LL" })).toHaveLength(1);
    expect(await list("cordex", { domain: "cmip" })).toHaveLength(1);
    expect(
      await list("nextgems", { experiment_id: "CMIP", simulation_id: "historical" }),
    ).toHaveLength(1);
    expect(await list("cmip6", { model: "ukesm1-0-ll", translate: "false" })).toHaveLength(1);
  });

  it("compare whole values without regard to case, but file and uri with regard to it", async () => {
    expect(await list("native", { project: "cMiP6" })).toHaveLength(2);
    expect(await list("native", { project: "CMIP" })).toHaveLength(0);
    expect(await list("native", { file: "/DATA/*" })).toHaveLength(0);
    expect(await list("native", { uri: "slk:///arch/tas_1985_new.nc" })).toHaveLength(1);
    expect(await list("native", { uri: "SLK:///arch/tas_1985_new.nc" })).toHaveLength(0);
  });

  it("accept any of several values of a key, and require all keys", async () => {
    expect(await list("native", { variable: ["pr", "tas"], project: "cmip6" })).toHaveLength(2);
    expect(await list("native", { variable: ["pr", "none"], model: "mpi*" })).toHaveLength(0);
  });

  it("exclude with _not_, 'not ', '!' and '-'", async () => {
    for (const excluding of [
      { model_not_: "mpi-esm1-2-lr" },
      { model: "not mpi-esm1-2-lr" },
      { model: "!mpi-esm1-2-lr" },
      { model: "-mpi-esm1-2-lr" },
    ]) {
      expect(await list("native", { project: "cmip6", ...excluding })).toEqual([
        "/data/CMIP6/pr/gn/v20190710/pr_1986.nc",
      ]);
    }
    expect(await list("native", { variable: ["tas", "!pr"], project: "cmip6" })).toHaveLength(1);
    expect(await list("native", { project: ["!cmip6", "-breaks"] })).toHaveLength(1);
  });

  it("read lists and tables in other forms by their meaning, or refuse them", async () => {
    const both = await list("cmip6", { variable_id: ["pr", "tas"], mip_era: "CMIP6" });
    expect(both).toHaveLength(2);
    for (const form of [
      { variable_id: '["pr","tas"]', "filters[mip_era]": "CMIP6" },
      { "variable_id[]": ["pr", "tas"], filters: '{"mip_era":"CMIP6"}' },
      { filters: '{"mip_era":["CMIP6"],"variable_id":["pr","tas"]}', facets: '["mip_era"]' },
    ]) {
      const { facets, ...filters } = { facets: "mip_era", ...form };
      expect(await list("cmip6", filters)).toEqual(both);
      const counted = await count("cmip6", { ...filters, facets });
      expect(counted.facets).toEqual({ mip_era: ["cmip6", "2"] });
    }
    for (const bbox of [["-10,30,35,70"], ["-10", "30", "35", "70"], ["[-10,30,35,70]"]]) {
      expect(await list("cmip6", { bbox, variable_id: "tas" })).toHaveLength(1);
      expect(await list("cmip6", { "bbox[]": bbox, variable_id: "tas" })).toHaveLength(1);
    }
    const { errors } = await refused(
      "/databrowser/data-search/cmip6/file?filters=experiment_id,historical&bbox=-10&bbox=30",
    );
    expect(errors?.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      expect.stringMatching(/^filters .*each is a parameter of its own, as in experiment=/),
    ]);
    const box = await refused("/databrowser/data-search/cmip6/file?bbox=[-10,30,35]");
    expect(box.errors?.[0]?.reason).toMatch(/min_lon,max_lon,min_lat,max_lat/);
  });

  it("treat * and ? as wildcards, and escaped as themselves", async () => {
    expect(await list("native", { model: "*ESM1-?-L*" })).toHaveLength(2);
    expect(await list("native", { model: "*" })).toHaveLength(2);
    expect(await list("native", { file: "*[a]\\*\\?*" })).toHaveLength(1);
    expect(await list("native", { file: "*\\**" })).toHaveLength(1);
    expect(await list("native", { file: "*\\?\\?*" })).toHaveLength(0);
  });

  it("treat every other character literally, so nothing is query syntax", async () => {
    expect(await list("native", { project: "odd: (a OR b) && !c ~1^2" })).toHaveLength(1);
    expect(await list("native", { project: "odd: (a OR b) && !c ~1^*" })).toHaveLength(1);
    expect(
      await list("native", { file: '/data/odd "name" (1) [a]\\*\\?\\ AND OR.nc' }),
    ).toHaveLength(1);
    const hostile = [
      "* OR *:*",
      "cmip6) OR (project:*",
      '"',
      "\\",
      '\\"',
      "cmip6\\",
      "{!term f=project}cmip6",
      '_query_:"*:*"',
      "[* TO *]",
      "/.*/",
      "cmip6~2",
      "cmip6^5",
      "AND",
      "OR",
      "NOT",
      "\u3000",
      "a\nb",
      "a\tb",
      "${x}",
      "💥*",
      "\uFFFF",
    ];
    for (const value of hostile) {
      for (const key of ["project", "file", "variable_not_"]) {
        const found = await list("native", { [key]: value, variable: "pr" });
        expect(found, `${key}=${value}`).toHaveLength(key === "variable_not_" ? 1 : 0);
      }
    }
  });

  it("do not let Solr put its own parameters in place of ${...}", async () => {
    await update([
      { file: "/macro/a.nc", model: "MODEL-${x:9}" },
      { file: "/macro/b.nc", model: "MODEL-9" },
    ]);
    expect(await list("native", { model: "MODEL-${x:9}" })).toEqual(["/macro/a.nc"]);
    expect(await list("native", { model: "MODEL-$*" })).toEqual(["/macro/a.nc"]);
    expect((await count("native", { model: "MODEL-${x:9}" })).total_count).toBe(1);
    await update({ delete: ["/macro/a.nc", "/macro/b.nc"] });
  });

  it("give 422 for a wildcard pattern that Solr cannot work out", async () => {
    const value = `*a${"?".repeat(60)}b`;
    const problem = await refused(`/databrowser/data-search/native/file${query({ file: value })}`);
    expect(problem.type).toMatch(/search-too-complex/);
  });

  it("find a document that an outside crawler posted straight to Solr, with its defaults", async () => {
    const document = {
      file: "/crawler/a.nc",
      project: "Crawled",
      time: "[2001 TO 2002]",
      bbox: ["ENVELOPE(0,360,90,-90)"],
      timestamp: 1.5,
    };
    await update([document]);
    const standard = {
      fs_type: "posix",
      grid_label: "gn",
      format: "nc",
      level_type: "2d",
      time_aggregation: "mean",
    };
    const found = await list("native", {
      ...standard,
      project: "crawled",
      time: "2002-06",
      bbox: "-10,10,0,10",
      bbox_select: "file",
    });
    expect(found).toEqual(["/crawler/a.nc"]);
    await update({ delete: ["/crawler/a.nc"] });
  });
});

describe("metadata-search", () => {
  it("counts lower-case values in order, spellings of a value together", async () => {
    const { total_count, facets } = await count("native", { facets: "variable,format" });
    expect(total_count).toBe(4);
    expect(facets).toEqual({ variable: ["pr", "1", "tas", "3"], format: ["nc", "3", "zarr", "1"] });
  });

  it("counts a document with several spellings of a value once, and others correctly", async () => {
    await update([
      { file: "/spelt/a.nc", variable: ["tas", "TAS", "Tas", "pr"], realm: ["İ", "ΑΣ", "ας"] },
      { file: "/spelt/b.nc", variable: ["TAS", "only-once"], realm: ["ΑΣ"], format: "NC" },
      { file: "/spelt/c.nc", variable: ["PR", ""], realm: ["ας"], dataset: 'a "b" ${c}' },
    ]);
    const asked = { file: "/spelt/*", facets: "variable,realm,format,dataset" };
    for (const multi of ["false", "true", "false"]) {
      const { total_count, facets } = await count("native", { ...asked, "multi-version": multi });
      expect(total_count).toBe(3);
      expect(facets).toEqual({
        variable: ["only-once", "1", "pr", "2", "tas", "2"],
        realm: ["i", "1", "ας", "2", "ασ", "2"],
        format: ["nc", "3"],
        dataset: ['a "b" ${c}', "1"],
      });
    }
    await update({ delete: ["/spelt/a.nc", "/spelt/b.nc", "/spelt/c.nc"] });
  });

  it("gives every facet but time, bbox and user by default, and version with all versions", async () => {
    const names = Object.keys((await count("native")).facets);
    expect(names).toEqual([
      "project",
      "product",
      "institute",
      "model",
      "experiment",
      "time_frequency",
      "realm",
      "variable",
      "ensemble",
      "time_aggregation",
      "fs_type",
      "grid_label",
      "cmor_table",
      "driving_model",
      "format",
      "grid_id",
      "level_type",
      "rcm_name",
      "rcm_version",
      "dataset",
    ]);
    for (const all of ["*", "all"]) {
      expect(Object.keys((await count("native", { facets: all })).facets)).toEqual(names);
    }
    const versions = await count("native", { "multi-version": "true" });
    expect(Object.keys(versions.facets)).toEqual([...names, "version"]);
    expect(versions.total_count).toBe(5);
  });

  it("has an empty array for a facet without values", async () => {
    expect((await count("native", { facets: "institute" })).facets).toEqual({ institute: [] });
  });

  it("translates names unless translate is false, and always gives the mapping", async () => {
    const translated = await count("cmip6", { facets: ["source_id", "variable_id"] });
    expect(Object.keys(translated.facets)).toEqual(["source_id", "variable_id"]);
    expect(translated.facet_mapping).toEqual({ model: "source_id", variable: "variable_id" });
    expect(translated.primary_facets).toContain("mip_era");
    const native = await count("cmip6", { facets: "model,variable", translate: "no" });
    expect(Object.keys(native.facets)).toEqual(["model", "variable"]);
    expect(native.facet_mapping).toEqual({ model: "source_id", variable: "variable_id" });
    expect(native.primary_facets).toContain("project");
  });

  it("counts time and bbox on request, and user for callers who are signed in", async () => {
    expect((await count("user", { facets: "time,bbox" })).facets).toEqual({ time: [], bbox: [] });
    const path = "/databrowser/metadata-search/user/file?facets=user";
    const stranger = await service.get(path);
    expect(stranger.status).toBe(401);
    expect(await stranger.text()).not.toContain("jane");
    const { token } = await person(service);
    const signedIn = await service.get(path, bearer(token));
    const { facets } = (await signedIn.json()) as MetadataSearchResult;
    expect(facets).toEqual({ user: ["jane", "1"] });
  });

  it("has the regional facets as primary ones in cordex", async () => {
    const { primary_facets } = await count("cordex");
    expect(primary_facets).toHaveLength(13);
    expect(primary_facets).toEqual(
      expect.arrayContaining(["rcm_name", "driving_model", "rcm_version"]),
    );
  });

  it("answers 304 to the tag of an unchanged answer, and anew after a commit", async () => {
    const path = "/databrowser/metadata-search/native/file?facets=project";
    const first = await service.get(path);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/".+"$/);
    const again = await service.get(path, { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    await load(service.solr, [{ file: "/data/new.nc", project: ["New"] }]);
    const changed = await service.get(path, { headers: { "If-None-Match": etag } });
    expect(changed.status).toBe(200);
    expect(((await changed.json()) as MetadataSearchResult).facets.project).toContain("new");
    await update({ delete: ["/data/new.nc"] });
  });
});

describe("overview", () => {
  it("lists the flavours and their facets", async () => {
    const overview = (await (await service.get("/databrowser/overview")).json()) as Overview;
    expect(overview.flavours).toEqual([
      "native",
      "cmip6",
      "cmip5",
      "cordex",
      "nextgems",
      "cmip7",
      "cordex-cmip6",
      "user",
    ]);
    expect(overview.attributes.cmip7).not.toContain("cmor_table");
    expect(overview.attributes.cmip6?.slice(0, 4)).toEqual([
      "mip_era",
      "activity_id",
      "institution_id",
      "source_id",
    ]);
    for (const [flavour, names] of Object.entries(overview.attributes)) {
      expect(names).toContain("rcm_name");
      expect(names.includes("user")).toBe(["native", "user"].includes(flavour));
      expect(names.includes("region"), flavour).toBe(["native", "cmip7", "user"].includes(flavour));
      expect(names).not.toContain("dataset_id");
    }
  });

  it("lists every facet that can be searched in a flavour, and no other", async () => {
    const { attributes } = (await (await service.get("/databrowser/overview")).json()) as Overview;
    const all = new Set(Object.values(attributes).flat());
    for (const [flavour, names] of Object.entries(attributes)) {
      for (const name of all) {
        // Of a time and a box, those that every search takes.
        const value = { time: "2000", bbox: "0,1,0,1" }[name] ?? "x";
        const response = await service.get(
          `/databrowser/data-search/${flavour}/file?${name}=${value}`,
        );
        await response.text();
        expect(response.status, `${name} in ${flavour}`).toBe(names.includes(name) ? 200 : 422);
      }
    }
  });
});

describe("a parameter of another operation", () => {
  it.each([
    [
      "summary/native/file?start=1",
      "start",
      /one of data-search, download, intake-catalogue, stac-catalogue, and load$/,
    ],
    ["data-search/native/file?choices=true", "choices", /one of metadata-search$/],
    ["data-search/native/file?limit=3", "limit", /one of suggest, datasets, and extended-search$/],
    [
      "coverage/native?rows=model&columns=realm&facets=model",
      "facets",
      /one of metadata-search, suggest, and extended-search$/,
    ],
    ["why/cmip6/file?near=3", "near", /one of complete$/],
    ["why/cmip6/file?max_results=3", "max_results", /one of intake-catalogue and stac-catalogue$/],
    ["years/cmip6?group-by=model", "group-by", /one of data-search, download, complete, /],
    ["summary/native/file?filter=near=3", "near", /one of complete$/],
    ["summary/native/file?modle=x", "modle", /is not a facet of native; did you mean model/],
  ])("is refused with the operations that take it: %s", async (place, name, reason) => {
    const { errors } = await refused(`/databrowser/${place}`);
    expect(errors?.map((one) => one.name)).toEqual([name]);
    expect(errors?.[0]?.reason).toMatch(reason);
  });
});

describe("a refused request", () => {
  const search = "data-search/native/file";
  it.each([
    ["an unknown flavour", "data-search/cmip8/file", "flavour", /must be one of native/],
    ["an unknown key", "data-search/native/path", "uniq_key", /file, uri/],
    ["an unknown facet", `${search}?modle=x`, "modle", /did you mean model\?$/],
    [
      "a misspelled native name in another flavour",
      "data-search/cmip6/file?modle=x",
      "modle",
      /is not a facet of cmip6; did you mean source_id\?$/,
    ],
    ["a facet of another flavour", `${search}?source_id=x`, "source_id", /called model in native/],
    [
      "another flavour's native name",
      "data-search/cmip6/file?model=x",
      "model",
      /^is called source_id in cmip6$/,
    ],
    [
      "a third flavour's name",
      "data-search/cmip5/file?source_id_not_=x",
      "source_id_not_",
      /^is called model_id in cmip5$/,
    ],
    [
      "a name of several facets elsewhere",
      "data-search/cordex/file?experiment_id=x",
      "experiment_id",
      /^is called experiment or domain in cordex$/,
    ],
    [
      "an untranslated flavour's name",
      "data-search/cmip6/file?Experiment-ID=x&translate=no",
      "Experiment-ID",
      /^is called experiment in native$/,
    ],
    [
      "another flavour's facet to count",
      "metadata-search/cmip5/file?facets=source_id",
      "facets",
      /^"source_id" is called model_id in cmip5$/,
    ],
    [
      "users to count in no user data",
      "metadata-search/cmip5/file?facets=user",
      "facets",
      /^"user" is a facet of user data/,
    ],
    ["a detail that is a range", `${search}?size=7`, "size", /cannot be searched: it is a range/],
    ["a flag that is none", `${search}?retracted=perhaps`, "retracted", /true or false/],
    ["a facet of another standard", "data-search/cmip6/file?region=x", "region", /not a facet/],
    [
      "a facet that the standard lacks",
      "data-search/cmip7/file?cmor_table=x",
      "cmor_table",
      /not a facet/,
    ],
    [
      "a name for each dataset to count",
      "metadata-search/native/file?facets=dataset_id",
      "facets",
      /cannot be counted/,
    ],
    ["an empty value", `${search}?model=`, "model", /must not be empty/],
    ["a negation of nothing", `${search}?model=!`, "model", /must not be empty/],
    ["version without all versions", `${search}?version=v1`, "version", /multi-version/],
    ["a start that is not a number", `${search}?start=x`, "start", /integer/],
    ["a start below 0", `${search}?start=-1`, "start", /at least 0/],
    ["a start given twice", `${search}?start=1&start=2`, "start", /once/],
    ["a bad boolean", `${search}?multi-version=maybe`, "multi-version", /boolean/],
    ["a bad select mode", `${search}?time_select=some`, "time_select", /flexible, strict, file/],
    ["a bad time", `${search}?time=yesterday`, "time", /ISO 8601/],
    ["a day that does not exist", `${search}?time=2001-02-30`, "time", /is not an existing date/],
    ["a period that ends before it starts", `${search}?time=2001 to 2000`, "time", /ends before/],
    ["a bad bbox", `${search}?bbox=1,2,3`, "bbox", /four numbers/],
    ["a latitude out of range", `${search}?bbox=1,2,3,91`, "bbox", /latitude/],
    ["a longitude out of range", `${search}?bbox=-181,2,3,4`, "bbox", /longitude/],
    ["min_lat above max_lat", `${search}?bbox=1,2,5,4`, "bbox", /min_lat/],
    ["a parameter of another operation", `${search}?max-results=3`, "max-results", /it is one of/],
    ["an unknown facet to count", "metadata-search/native/file?facets=foo", "facets", /foo/],
    ["a native facet to count", "metadata-search/cmip6/file?facets=model", "facets", /model/],
  ])("is 422 with the reason: %s", async (_, path, name, reason) => {
    const problem = await refused(`/databrowser/${path}`);
    expect(problem).toMatchObject({
      status: 422,
      type: expect.stringContaining("invalid-parameters"),
    });
    expect(problem.errors?.map((error) => error.name)).toContain(name);
    expect(problem.errors?.find((error) => error.name === name)?.reason).toMatch(reason);
  });

  it("names every parameter that is wrong, not the first only", async () => {
    const problem = await refused(`/databrowser/${search}?modle=x&variabel=y&time=z`);
    expect(problem.errors?.map((error) => error.name).sort()).toEqual([
      "modle",
      "time",
      "variabel",
    ]);
  });

  it("is not confused by keys that every object has", async () => {
    for (const key of ["constructor", "toString", "hasOwnProperty"]) {
      const problem = await refused(`/databrowser/${search}?${key}=x`);
      expect(problem.errors?.[0]?.name).toBe(key);
    }
  });
});
