/** The document that people read and the validators that requests meet say the same. */
import { readFile } from "node:fs/promises";
import { z } from "@hono/zod-openapi";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PREFIX } from "../../../generated/prefix.js";
import { routes } from "../../../generated/routes.js";
import * as schemas from "../../../generated/schemas.js";
import { generate } from "../../../scripts/contract/generate.js";
import { FLAVOUR_NAMES } from "../../../src/domain/vocabulary/flavours.js";
import { issuerMetadata } from "../../../src/identity/tokens/metadata.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { queryOf } from "../../../src/server/contract/input/decode-query.js";

/** Any part of the document; leaves are cast where they are used. */
interface Json {
  [key: string]: Json;
}

const text = await readFile(packagePath("openapi.yaml"), "utf8");
const document = parse(text) as Json;

/** Puts referred parts in place. */
function resolve(value: unknown): Json {
  if (Array.isArray(value)) return value.map(resolve) as unknown as Json;
  if (typeof value !== "object" || value === null) return value as Json;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) {
    const path = $ref.slice(2).split("/");
    return resolve(path.reduce((part, key) => part[key] as Json, document));
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
}

/** A schema with what the door takes beside it: one element that stands for an array. */
function atTheDoor(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(atTheDoor) as unknown as Json;
  if (typeof schema !== "object" || schema === null) return schema as Json;
  const inner = Object.entries(schema).map(([key, part]) => [key, atTheDoor(part)] as const);
  const { "x-or-one": orOne, "x-or-text": orText, ...array } = Object.fromEntries(inner) as Json;
  if (orText) return { anyOf: [array, { type: "string", maxLength: 50_000 }] } as unknown as Json;
  return orOne ? ({ anyOf: [array, array.items] } as unknown as Json) : (array as Json);
}

const operations = Object.entries(document.paths as Json).flatMap(([path, value]) => {
  const { servers, ...item } = value as Json;
  const root = servers === undefined ? PREFIX : "";
  return Object.entries(item).map(([method, operation]) => ({
    path: root + path,
    method,
    operation: resolve(operation as Json),
  }));
});

/** A value and every way to spoil it that this test knows. */
function* variants(value: unknown): Generator<unknown> {
  yield value;
  for (const other of [null, 0, -1, 1.5, "", "x", true, [], {}, [1], { x: 1 }]) yield other;
  if (Array.isArray(value)) {
    yield [...value, ...value];
    for (const [index, element] of value.entries()) {
      for (const spoilt of variants(element)) yield value.with(index, spoilt);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, unheard_of: 1 };
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const spoilt of variants(member)) yield { ...value, [key]: spoilt };
    }
  }
}

const SAMPLES: Record<string, unknown> = {
  DatasetOrder: "size",
  Flavour: "cmip6",
  UniqKey: "uri",
  FilterValue: "tas*",
  FacetName: "model",
  FieldName: "size",
  Requirement: "variable:tas",
  Period: "1985 to 1994",
  Region: "0,10,0,10",
  FilterItem: "experiment_id_not_=ssp*",
  FacetNames: { model: "gcm" },
  Selection: "file",
  CellKind: "years",
  CatalogueKind: "intake",
  ZarrVersion: "3",
  References: { version: 1, refs: { ".zgroup": "{}", "x/0": ["/data/x.nc", 0, 1] } },
  CartFormat: "stac",
  DataLocation: "https",
  DownloadForm: "sh",
  DownloadLayout: "flat",
  Cart: {
    format: "csv",
    searches: [{ flavour: "cmip6", parameters: { time: ["1985"] } }],
    fields: ["x"],
  },
  JoinKind: "dataset",
  MissingVariables: "fill",
  JoinRequest: { files: ["/data/a.nc"], by: "member", missing: "fill", strict: true },
  Joins: { joins: [] },
  Join: { name: "x", url: "https://example.org/x.zarr", files: 2, notes: ["y"] },
  JoinPlan: {
    state: "joined",
    axis: { name: "time", steps: 2, units: "days since 2000-01-01", calendar: "noleap" },
    files: [
      { file: "a.nc", group: "", start: 0, steps: 2, first: "2000-01-01", last: "2000-01-02" },
    ],
    arrays: [{ name: "tas", mode: "mixed", chunks: 2, passed: 1, reasons: ["x"] }],
  },
  JoinState: "refused",
  JoinedAxis: { name: "time", steps: 2, units: "days since 2000-01-01", calendar: "noleap" },
  JoinedFile: { file: "a.nc", group: "", start: 0, steps: 2, first: "x", last: "y" },
  JoinedArray: { name: "tas", mode: "passed", chunks: 2, passed: 2, reasons: [] },
  ChunkMode: "decoded",
  CartSearch: { flavour: "cmip6", parameters: { variable_id: ["tas", "pr"] } },
  FlavourRequest: { flavour_name: "my-lab", mapping: { model: "gcm" }, is_global: false },
  FlavourChange: { flavour_name: "my-lab", mapping: {}, is_global: true },
  FlavourDefinition: { flavour_name: "x", mapping: { model: "gcm" }, is_global: false, owner: "x" },
  FlavourList: { total: 0, flavours: [] },
  Overview: { flavours: ["native"], attributes: { native: ["project"] } },
  Coverage: {
    rows: "model",
    columns: "experiment",
    cells: "bytes",
    total_count: 3,
    known_files: 2,
    row_values: ["icon"],
    column_values: ["historical"],
    values: [[0, 0, 1.5]],
  },
  MetadataSearchResult: {
    total_count: 1,
    facets: { project: ["cmip6", "1"] },
    facet_mapping: { project: "project" },
    primary_facets: ["project"],
    unknown_values: [{ name: "variable", value: "tass", near: ["tas"] }],
  },
  FacetCounts: { project: ["cmip6", "1"] },
  FacetMapping: { project: "project" },
  MoreValues: { count: 10_001, next: "https://x" },
  MoreByFacet: { model: { count: 10_001, next: "https://x" } },
  FileCounts: { units: 1 },
  SearchParameters: { variable_id: ["tas", "pr"] },
  FlavourFacets: { native: ["project"] },
  DatasetFacets: { model: "x" },
  CommonFacets: { project: "x" },
  IntakeOptions: { dim: "time" },
  UnknownValue: { name: "variable", value: "tass", near: ["tas"] },
  ExtendedSearchResult: {
    total_count: 1,
    facets: { variable: ["tas", "1"] },
    facet_mapping: { variable: "x" },
    primary_facets: ["project"],
    known_files: { units: 1 },
    after: "x",
    next: null,
    unknown_values: [{ name: "variable", value: "tass", near: ["tas"] }],
    documents: [{ file: "/a.nc", size: 1, retracted: true, variable: ["tas"] }],
  },
  SearchedDocument: { file: "/a.nc", bbox: { west: 0, east: 1, south: 0, north: 1 } },
  Box: { west: 0, east: 1, south: 0, north: 1 },
  BoxCount: { west: 0, east: 1, south: 0, north: 1, files: 1 },
  Boxes: {
    total_count: 2,
    known_files: 1,
    box_count: 1,
    boxes: [{ west: 0, east: 1, south: 0, north: 1, files: 1 }],
  },
  Years: {
    total_count: 2,
    known_files: 1,
    first: 1850,
    last: 1854,
    years_per_bar: 5,
    bars: [{ first: 1850, last: 1854, files: 1 }],
  },
  YearBar: { first: 1850, last: 1854, files: 1 },
  Datasets: {
    total_count: 1,
    dataset_count: 1,
    unnamed_files: 0,
    after: "x",
    next: null,
    datasets: [],
  },
  Dataset: {
    dataset_id: null,
    files: 1,
    bytes: 1,
    sized_files: 1,
    retracted: 0,
    dated_files: 1,
    versions: [{ version: "v1", files: 1, retracted: 0, start: null, end: null }],
    version_count: 1,
    start: null,
    end: "2000-01-01T00:00:00Z",
    period_count: 1,
    periods: [{ start: null, end: "2000-01-01T00:00:00Z" }],
    gaps: [],
    overlaps: [],
    overlap_count: 0,
    facets: { model: "x" },
    box_count: 1,
    formats: [{ format: "nc", files: 1 }],
    storage: [{ fs_type: "posix", files: 1, bytes: 1, sized_files: 1 }],
    boxes: [{ west: 0, east: 1, south: 0, north: 1 }],
    citation_url: null,
    example: { file: "/a.nc", uri: "https://example.org/a.nc", readable: true, reason: null },
  },
  CslItems: [],
  CslItem: {
    id: "a",
    type: "dataset",
    title: "A",
    author: [{ literal: "B" }],
    DOI: "10.1/x",
    issued: { "date-parts": [[2019]] },
    publisher: "C",
    URL: "https://x",
    version: "v1",
    accessed: { "date-parts": [[2026, 1, 31]] },
    note: "",
  },
  CslName: { family: "Doe", given: "Jane", literal: "x" },
  CslDate: { "date-parts": [[2026, 1, 31]] },
  DatasetVersion: { version: "v1", files: 1, retracted: 0, start: null, end: null },
  DatasetExample: { file: "/a.nc", uri: "https://example.org/a.nc", readable: false, reason: "x" },
  LoadedFiles: { files: [] },
  LoadedFile: { file: "/a.nc", address: "https://x", format: null, readable: true, reason: null },
  FormatCount: { format: "nc", files: 1 },
  StorageCount: { fs_type: "posix", files: 1, bytes: 1, sized_files: 1 },
  Stretch: { start: null, end: "2000-01-01T00:00:00Z" },
  SearchLinks: { why: "https://example.org/why" },
  Complete: {
    group_by: ["model"],
    group_count: 2,
    complete_count: 1,
    files: 1,
    needs: [{ need: "variable:tas", on: ["model"], from: "1985", to: "1999" }],
    complete: [{ model: "x" }],
    near_misses: [
      { group: { model: "y" }, missing: [{ need: 0, gaps: [{ from: "x", to: null }] }] },
    ],
    links: {
      path_list: "https://example.org/a",
      intake_catalogue: "https://example.org/b",
      stac_archive: "https://example.org/c",
    },
  },
  FileGroup: { model: "x" },
  GroupNeed: { need: "variable:tas", on: ["model"], from: "1985", to: "1999" },
  NearMiss: { group: { model: "y" }, missing: [{ need: 0 }] },
  MissingNeed: { need: 0, gaps: [{ from: "x", to: null }] },
  NeedGap: { from: "x", to: null },
  CompleteLinks: {
    path_list: "https://example.org/a",
    intake_catalogue: "https://example.org/b",
    stac_archive: "https://example.org/c",
  },
  Why: {
    total_count: 0,
    constraints: [
      {
        name: "variable",
        values: ["tass"],
        count_without: 1,
        unmatched: [{ value: "tass", near: [{ value: "tas", count: 1 }] }],
      },
    ],
    excluding: ["variable"],
  },
  SearchConstraint: { name: "variable", values: ["tass"], count_without: 1, unmatched: [] },
  NearValue: { value: "tas", count: 1 },
  Suggestions: {
    total_count: 1,
    parts: [
      {
        text: "tas",
        suggestions: [
          { kind: "value", name: "variable", value: "tas", similarity: "exact", count: 1 },
        ],
      },
    ],
    not_understood: ["zzz"],
    best: { filters: [{ name: "variable", value: "tas" }], count: 1 },
  },
  SuggestedPart: { text: "tas", suggestions: [] },
  Suggestion: {
    kind: "region",
    name: "bbox",
    value: "-25,45,34,72",
    label: "Europe",
    similarity: "near",
    count: 0,
  },
  SuggestionKind: "region",
  SuggestionSimilarity: "word",
  BestSuggestions: { filters: [], count: 0 },
  SuggestedFilter: { name: "variable", value: "tas" },
  UnmatchedValue: { value: "tass", near: [{ value: "tas", count: 1 }] },
  Summary: {
    files: 1,
    datasets: 1,
    bytes: 1,
    sized_files: 1,
    retracted: 0,
    start: "1985-01-01T00:00:00Z",
    end: null,
    formats: [{ format: "nc", files: 1 }],
    storage: [{ fs_type: "posix", files: 1, bytes: 1, sized_files: 1 }],
    estimated_bytes: { path_list: 1, intake_catalogue: 1, stac_archive: 1 },
  },
  EstimatedSizes: { path_list: 1, intake_catalogue: 1, stac_archive: 1 },
  ShareRequest: { url: "https://example.org/x.zarr", uuid: "x", ttl_seconds: 60 },
  UnshareRequest: { url: "https://example.org/x.zarr" },
  SharedZarr: { url: "https://example.org/x.zarr", expires: 1 },
  IntakeCatalogue: {
    esmcat_version: "0.1.0",
    attributes: [{ column_name: "file", vocabulary: "" }],
    assets: { column_name: "file", format_column_name: "data_format" },
    id: "x",
    description: "x",
    title: "x",
    last_updated: "2026-01-01T00:00:00",
    aggregation_control: {
      variable_column_name: "variable",
      groupby_attrs: ["dataset_id"],
      aggregations: [{ type: "union", attribute_name: "variable", options: { dim: "time" } }],
    },
    catalog_dict: [{ file: "/a.nc", variable: ["tas"] }],
  },
  IntakeAttribute: { column_name: "file", vocabulary: "" },
  IntakeAssets: { column_name: "file", format_column_name: "data_format" },
  IntakeAggregationControl: {
    variable_column_name: "variable",
    groupby_attrs: ["dataset_id"],
    aggregations: [{ type: "union", attribute_name: "variable", options: { dim: "time" } }],
  },
  IntakeAggregation: { type: "union", attribute_name: "variable", options: { dim: "time" } },
  IntakeAggregationKind: "join_existing",
  Status: { status: "alive" },
  ServiceStatus: {
    state: "ok",
    checks: [{ name: "data-2", state: "failed", says: "x", since: "2026-11-22T08:00:00Z", age: 1 }],
  },
  ServiceCheck: { name: "data-2", state: "failed", says: "x", since: "x", age: 1 },
  HealthState: "warning",
  Problem: {
    type: "urn:x",
    title: "x",
    status: 422,
    detail: "x",
    errors: [{ name: "x", location: "query", reason: "x" }],
  },
  ParameterError: { name: "x", location: "path", reason: "x" },
  ParameterLocation: "header",
  UserDataRequest: {
    user_metadata: [{ file: "/a.nc", variable: ["tas"], time: "2000", time_frequency: "mon" }],
    facets: { project: "x" },
  },
  UserMetadataEntry: {
    file: "/a.nc",
    variable: ["tas"],
    time: "2000",
    time_frequency: "mon",
    bbox: "-10,30,35,70",
    project: ["x", "y"],
    model: ["x"],
    dataset: "x",
    note: { x: 1 },
    extra: { modle: 1 },
  },
  UserDataSelection: { file: "/a.nc" },
  TokenRequest: { username: "x", password: "x", refresh_token: "x" },
  SignInForm: { client_id: "x", username: "x", password: "x", form_key: "x" },
  ScriptTokenRequest: { name: "x", ttl_seconds: 60 },
  ScriptToken: { token_id: "x", name: "x", created: 1, expires: 2 },
  MadeScriptToken: { token_id: "x", name: "x", created: 1, expires: 2, token: "x" },
  ScriptTokenList: {
    most: 20,
    script_tokens: [{ token_id: "x", name: "x", created: 1, expires: 2 }],
  },
  Token: {
    access_token: "x",
    token_type: "Bearer",
    expires: 2,
    expires_in: 1,
    refresh_token: "x",
    refresh_expires: 2,
    refresh_expires_in: 1,
    scope: "profile",
  },
  TokenStatus: { sub: "x", exp: 1, email: "x" },
  UserInfo: { sub: "x", preferred_username: "x", email: "x" },
  RevocationRequest: { token: "x" },
  IntrospectionRequest: { token: "x", token_type_hint: "x" },
  Introspection: { active: true, sub: "x", exp: 1 },
  JsonWebKey: { kty: "EC", crv: "P-256", use: "sig", alg: "ES256", kid: "x", x: "x", y: "x" },
  JsonWebKeySet: {
    keys: [{ kty: "EC", crv: "P-256", use: "sig", alg: "ES256", kid: "x", x: "x", y: "x" }],
  },
  StacLink: {
    rel: "next",
    href: "x",
    type: "x",
    title: "x",
    method: "POST",
    merge: false,
    body: {},
  },
  LinkMethod: "GET",
  FilterCrs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
  FilterLanguage: "cql2-text",
  StacSortKey: { field: "x", direction: "asc" },
  SortDirection: "desc",
  ChosenFields: { include: ["x"], exclude: null },
  StacAggregation: { name: "x", data_type: "integer", value: 1 },
  StacCatalog: {
    type: "Catalog",
    stac_version: "1.1.0",
    id: "x",
    title: "x",
    description: "x",
    conformsTo: ["x"],
    links: [{ rel: "self", href: "x" }],
  },
  StacConformance: { conformsTo: ["x"] },
  StacCollection: {
    type: "Collection",
    stac_version: "1.1.0",
    stac_extensions: [],
    id: "x",
    title: "x",
    description: "x",
    license: "other",
    keywords: ["x"],
    extent: {},
    summaries: {},
    links: [],
  },
  StacCollections: { collections: [], links: [], numberMatched: 0, numberReturned: 0 },
  StacItem: {
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: ["x"],
    id: "x",
    collection: "x",
    bbox: [1],
    properties: {},
    links: [],
    assets: {},
  },
  StacItems: {
    type: "FeatureCollection",
    features: [{ id: "x" }],
    links: [],
    numberMatched: 1,
    numberReturned: 1,
    numMatched: 1,
    numReturned: 1,
  },
  StacSchema: {
    $schema: "x",
    $id: "x",
    type: "object",
    title: "x",
    properties: {},
    additionalProperties: true,
  },
  StacAggregations: {
    type: "AggregationCollection",
    aggregations: [{ name: "total_count", data_type: "integer", value: 1 }],
    links: [],
  },
  StacSearch: {
    collections: ["x"],
    ids: ["x"],
    bbox: [0, 1, 2, 3],
    datetime: "x",
    intersects: {},
    q: ["x"],
    filter: {},
    "filter-lang": "cql2-json",
    query: { x: { eq: 1 } },
    conf: {},
    "filter-crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    limit: 1,
    token: "x",
    sortby: [{ field: "x", direction: "asc" }],
    fields: { include: ["x"], exclude: null },
  },
  StacAggregate: {
    aggregations: ["x"],
    collections: ["x"],
    ids: ["x"],
    bbox: [0, 1, 2, 3],
    datetime: "x",
    intersects: {},
    q: ["x"],
    filter: {},
    "filter-lang": "cql2-json",
    query: {},
    conf: {},
    "filter-crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
  },
  IssuerMetadata: issuerMetadata("https://data.example.org"),
};

describe("a validator", () => {
  const names = Object.keys((document.components as Json).schemas as Json);

  it.each(names)("accepts and refuses what the schema in the document does: %s", (name) => {
    expect(SAMPLES, "this test has no sample of a new schema").toHaveProperty(name);
    const schema = resolve({ $ref: `#/components/schemas/${name}` });
    const written = z.fromJSONSchema(atTheDoor(schema));
    const made = (schemas as unknown as Record<string, z.ZodType>)[name] as z.ZodType;
    expect(made.safeParse(SAMPLES[name]).success).toBe(true);
    let refused = 0;
    for (const value of variants(SAMPLES[name])) {
      const verdict = made.safeParse(value).success;
      expect(verdict, JSON.stringify(value)).toBe(written.safeParse(value).success);
      if (!verdict) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe("an operation", () => {
  it.each(operations.map((one) => [String(one.operation.operationId), one] as const))(
    "is mounted as it is written: %s",
    (id, { path, method, operation }) => {
      const route = routes[id as keyof typeof routes];
      expect(route.path.replace("{.+}}", "}")).toBe(path);
      expect(route.method).toBe(method);
      expect(Object.keys(route.responses).sort()).toEqual(
        Object.keys(operation.responses as Json).sort(),
      );
    },
  );

  it.each(operations.map((one) => [String(one.operation.operationId), one.operation] as const))(
    "is documented with summary, description, a known tag, security, an example of each body: %s",
    (_, operation) => {
      expect(operation.summary).toBeTruthy();
      expect(operation.description).toBeTruthy();
      const tags = (document.tags as unknown as { name: string }[]).map(({ name }) => name);
      expect(tags).toEqual(expect.arrayContaining(operation.tags as unknown as string[]));
      expect(Array.isArray(operation.security)).toBe(true);
      for (const [status, response] of Object.entries(operation.responses as Json)) {
        expect((response as Json).description, status).toBeTruthy();
        const { content = {}, "x-other-content": others = {} } = response as Json;
        for (const media of Object.values({ ...content, ...others } as Json)) {
          const { example, examples, schema } = media as Json;
          const all = example ? [example] : Object.values(examples ?? {}).map(({ value }) => value);
          expect(all.length, status).toBeGreaterThan(0);
          for (const one of all) {
            expect(z.fromJSONSchema(schema as Json).safeParse(one).success, status).toBe(true);
          }
        }
      }
    },
  );

  it("has an operationId of its own", () => {
    const ids = operations.map(({ operation }) => String(operation.operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(routes).sort()).toEqual(ids.sort());
  });
});

describe("the query of an operation", () => {
  const query = queryOf("searchData");
  const decode = (parameters: Record<string, string | string[]>) => query.safeParse(parameters);

  it("has the defaults of the document", () => {
    for (const { operation } of operations) {
      const inQuery = ((operation.parameters ?? []) as unknown as Json[]).filter(
        (parameter) => String(parameter.in) === "query",
      );
      const needed = inQuery.filter(({ required }) => Boolean(required));
      const given = Object.fromEntries(needed.map(({ name, example }) => [String(name), example]));
      for (const parameter of inQuery) {
        const value = (parameter.schema as Json).default;
        if (value === undefined) continue;
        const id = operation.operationId as unknown as "searchMetadata";
        expect(queryOf(id).parse(given)).toHaveProperty(String(parameter.name), value);
      }
    }
  });

  it.each([
    ["true", true],
    ["TRUE", true],
    ["t", true],
    ["1", true],
    ["Yes", true],
    ["on", true],
    ["false", false],
    ["F", false],
    ["0", false],
    ["no", false],
    ["OFF", false],
  ])("accepts %s as the boolean %s", (value, expected) => {
    expect(decode({ "multi-version": value }).data?.["multi-version"]).toBe(expected);
    expect(decode({ multi_version: value }).data?.["multi-version"]).toBe(expected);
  });

  it.each(["", "2", "yes please", "null", "tru"])("refuses %j as a boolean", (value) => {
    expect(decode({ "multi-version": value }).success).toBe(false);
  });

  it.each([
    ["0", 0],
    ["7", 7],
    ["+7", 7],
    ["2147483647", 2147483647],
  ])("accepts %s as the integer %d", (value, expected) => {
    expect(decode({ start: value }).data?.start).toBe(expected);
  });

  it.each(["", " ", "1.5", "1e3", "0x10", "-1", "NaN", "2147483648", "99999999999999999999"])(
    "refuses %j as an integer",
    (value) => {
      expect(decode({ start: value }).success).toBe(false);
    },
  );

  it("accepts one value or several of an array, and any other key as a filter", () => {
    expect(decode({ time: "2000" }).data?.time).toEqual(["2000"]);
    expect(decode({ time: ["2000", "2001"] }).data?.time).toEqual(["2000", "2001"]);
    expect(decode({ model: "a", "b-c": ["d", "e"] }).data?.filters).toEqual({
      model: ["a"],
      "b-c": ["d", "e"],
    });
    expect(decode({ "time-select": "file" }).data?.time_select).toBe("file");
  });
});

describe("the contract", () => {
  it("accepts the flavours of the vocabulary, and other names", () => {
    const flavour = (document.components as { schemas: Record<string, Json> }).schemas.Flavour;
    expect(flavour?.examples).toEqual([...FLAVOUR_NAMES]);
    for (const name of [...FLAVOUR_NAMES, "My-own_1"]) {
      expect(schemas.Flavour.safeParse(name).success, name).toBe(true);
    }
    for (const name of ["", "__proto__", "1", "a b", "a/b", "ä", "a.b", "a".repeat(65)]) {
      expect(schemas.Flavour.safeParse(name).success, name).toBe(false);
    }
  });

  let made: Map<string, string>;
  beforeAll(async () => {
    made = await generate(text);
  });

  it("is the source of generated/", async () => {
    for (const [name, expected] of made) {
      const present = await readFile(packagePath("generated", name), "utf8");
      expect(present === expected, `generated/${name} is stale: npm run generate`).toBe(true);
    }
  });

  it.each([
    [
      "a keyword",
      (d: Json) =>
        Object.assign(((d.components as Json).schemas as Json).Status as Json, { not: {} }),
    ],
    [
      "a type",
      (d: Json) =>
        Object.assign(((d.components as Json).schemas as Json).Status as Json, { type: "tuple" }),
    ],
    [
      "a format",
      (d: Json) =>
        Object.assign(
          (((d.components as Json).schemas as Json).Status as Json).properties as Json,
          {
            x: { type: "string", format: "iban" },
          },
        ),
    ],
    [
      "a key of an operation",
      (d: Json) =>
        Object.assign(((d.paths as Json)["/ping"] as Json).get as Json, { callbacks: {} }),
    ],
    [
      "a key of a response",
      (d: Json) =>
        Object.assign((((d.paths as Json)["/ping"] as Json).get as Json).responses as Json, {
          200: { description: "x", links: {} },
        }),
    ],
    [
      "a security scheme",
      (d: Json) =>
        Object.assign((d.components as Json).securitySchemes as Json, {
          bearer: { type: "mutualTLS" },
        }),
    ],
    [
      "a missing security scheme",
      (d: Json) =>
        Object.assign(((d.paths as Json)["/auth/v2/status"] as Json).get as Json, {
          security: [{ nothing: [] }],
        }),
    ],
    [
      "a missing schema",
      (d: Json) =>
        Object.assign(((d.components as Json).schemas as Json).Status as Json, {
          properties: { x: { $ref: "#/components/schemas/Nothing" } },
        }),
    ],
  ] as [string, (d: Json) => unknown][])(
    "stops the generator on an unknown %s",
    async (_, change) => {
      const changed = structuredClone(document);
      change(changed);
      await expect(generate(JSON.stringify(changed))).rejects.toThrow();
    },
  );
});
