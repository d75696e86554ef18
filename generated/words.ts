// Made from openapi.yaml by `npm run generate`; never edited.
/** Names that a search understands in every flavour, and that are no facets. */
export const QUERY_WORDS: readonly string[] = [
  "filters",
  "filter",
  "start",
  "multi-version",
  "translate",
  "time",
  "time_select",
  "bbox",
  "bbox_select",
  "file",
  "uri",
  "version",
  "facets",
  "max-results",
  "catalogue-type",
];
