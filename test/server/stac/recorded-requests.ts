/** Requests of programs that cannot run here, from their sources, and what the answers must have. */

export interface RecordedRequest {
  readonly what: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Least number of items, or 0 for none; of an aggregation no number. */
  readonly items?: number;
  /** Aggregations that must have values, and those that must be there without any. */
  readonly filled?: readonly string[];
  readonly empty?: readonly string[];
}

const equal = (name: string, value: unknown) => ({ op: "=", args: [{ property: name }, value] });
const ESM = equal("properties.cmip6:source_id", "CanESM5");
const TAS = equal("properties.cmip6:variable_id", "tas");
const PR = equal("properties.cmip6:variable_id", "pr");

/** metagrid 1.x in STAC mode: postSTACSearch, fetchSTACAggregations and convertSearchParamsIntoStacFilter of its frontend. */
export const METAGRID: readonly RecordedRequest[] = [
  {
    what: "a project is opened",
    path: "/search",
    body: { collections: ["CMIP6"], limit: 100, q: [] },
    items: 50,
  },
  {
    what: "its facets are counted",
    path: "/aggregate",
    body: {
      collections: ["CMIP6"],
      aggregations: [
        "alternate_name_frequency",
        "activity_id",
        "source_id",
        "source_type",
        "instance_id",
        "institution_id",
        "experiment_id",
        "sub_experiment_id",
        "variant_label",
        "grid_label",
        "frequency",
        "variable_id",
        "variable_cf_standard_name",
        "mip_era",
        "table_id",
      ].map((name) => (name.endsWith("_frequency") ? name : `cmip6_${name}_frequency`)),
    },
    filled: [
      "alternate_name_frequency",
      "cmip6_source_id_frequency",
      "cmip6_variant_label_frequency",
    ],
    empty: ["cmip6_source_type_frequency", "cmip6_sub_experiment_id_frequency"],
  },
  {
    what: "one value of a facet is chosen",
    path: "/search",
    body: { collections: ["CMIP6"], limit: 100, filter: ESM },
    items: 1,
  },
  {
    what: "several values of two facets are chosen, and only the newest versions",
    path: "/search",
    body: {
      collections: ["CMIP6"],
      limit: 100,
      filter: {
        op: "and",
        args: [{ op: "or", args: [TAS, PR] }, ESM, equal("properties.latest", "true")],
      },
    },
    items: 1,
  },
  {
    what: "a node and versions of some years are chosen, with words",
    path: "/search",
    body: {
      collections: ["CMIP6"],
      limit: 100,
      filter: {
        op: "and",
        args: [
          equal("alternate:name", "posix"),
          {
            op: "and",
            args: [
              { op: ">=", args: [{ property: "version" }, "v20180101"] },
              { op: "<=", args: [{ property: "version" }, "v20301231"] },
            ],
          },
        ],
      },
      q: ["temperature", "precipitation"],
    },
    items: 1,
  },
  {
    what: "only data on Globus are chosen",
    path: "/search",
    body: { collections: ["CMIP6"], limit: 100, filter: equal("properties.access", "Globus") },
    items: 0,
  },
  {
    what: "an earlier release opens a project",
    path: "/search",
    body: {
      collections: ["CMIP6"],
      limit: 10,
      filter: { op: "not", args: [{ op: "isNull", args: [{ property: "citation_url" }] }] },
    },
    items: 10,
  },
];

const RECENT = { timestamp: "1990-01-01T00:00:00.000Z" };

/** STAC Browser 4.0.1: addFiltersToLink of its utilities, and what its forms offer. By POST the search, by GET lists of a collection. */
export const STAC_BROWSER: readonly {
  readonly what: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
}[] = [
  {
    what: "one value of a queryable",
    body: { limit: 5, "filter-lang": "cql2-json", filter: { op: "and", args: [TAS] } },
  },
  {
    what: "words, a period, a region, collections, an order, and any of several conditions",
    body: {
      q: ["temperature", "pressure"],
      collections: ["CMIP6", "CMIP5"],
      limit: 24,
      datetime: "1980-01-01T00:00:00.000Z/2000-12-31T23:59:59.000Z",
      bbox: [-20.5, 30, 40, 70],
      sortby: [{ field: "properties.title", direction: "desc" }],
      "filter-lang": "cql2-json",
      filter: {
        op: "or",
        args: [
          { op: "like", args: [{ property: "cmip6:source_id" }, "%ESM%"] },
          { op: "<>", args: [{ property: "project" }, "CMIP6"] },
          { op: ">=", args: [{ property: "updated" }, RECENT] },
          equal("latest", true),
        ],
      },
    },
  },
  ...["id", "properties.title", "properties.datetime", "properties.created"].map((field) => ({
    what: `the order by ${field}`,
    body: { sortby: [{ field, direction: "asc" }] },
  })),
  { what: "the items of a collection", path: "/collections/CMIP6/items", query: { limit: "12" } },
  {
    what: "some items of a collection",
    path: "/collections/CMIP6/items",
    query: {
      "filter-lang": "cql2-text",
      filter: "cmip6:variable_id = 'tas' and end_datetime >= TIMESTAMP('1990-01-01T00:00:00.000Z')",
      sortby: "-properties.updated",
      q: "temperature",
    },
  },
  {
    what: "collections by words and a period",
    path: "/collections",
    query: { q: "cmip", datetime: "1980-01-01T00:00:00.000Z/..", limit: "24" },
  },
];
