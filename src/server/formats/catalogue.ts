/** Columns, names and addresses of all catalogue formats. */
import { OPERATIONS, type OperationName } from "../../../generated/operations.js";
import { storedValues } from "../../domain/completeness/folded-values.js";
import { type CountedField, FACETS, isSingle } from "../../domain/vocabulary/facets.js";
import { type Flavour, listedFacets, translation } from "../../domain/vocabulary/flavours.js";
import type { SolrDocument } from "../../index/export/document-batch.js";

export interface CatalogueSource {
  readonly flavour: Flavour;
  readonly key: "file" | "uri";
  readonly translate: boolean;
  readonly multiVersion: boolean;
  /** Keys and values of the search, as given. */
  readonly filters: readonly (readonly [key: string, value: string])[];
  /** Options that differ from the default. */
  readonly options: Readonly<Record<string, string>>;
  /** Keys and values of required complete groups, as given. */
  readonly groups?: readonly (readonly [key: string, value: string])[];
  /** Number of searches of a cart, which has no address. */
  readonly searches?: number;
  /** Address of the API, with its prefix, without a trailing slash. */
  readonly api: string;
  /** Whether locations are addresses of this service. */
  readonly isHttp?: boolean;
  readonly stream: (file: string) => string;
}

export interface Column {
  readonly field: CountedField;
  readonly name: string;
  readonly single: boolean;
}

/** The facets of a catalogue, in facet order; with `version` if all versions are searched. */
export function columns({ flavour, translate, multiVersion }: CatalogueSource): Column[] {
  const { name } = translation(flavour, translate);
  const facets: CountedField[] = listedFacets(flavour).filter((facet) => !FACETS[facet].onRequest);
  return [...facets, ...(multiVersion ? (["version"] as const) : [])].map((field) => ({
    field,
    name: name(field),
    single: isSingle(field),
  }));
}

/** The values of a field, single or multiple in Solr. */
export const valuesOf = (document: SolrDocument, field: string): string[] =>
  storedValues(document, field).map(String);

/** A text as part of a file name or identifier that is safe on all systems. */
export const plain = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, "");

const MAX_NAME = 100;

/** A file name that describes the search, without extension. */
export function catalogueName({
  flavour,
  filters,
  searches,
  groups = [],
}: CatalogueSource): string {
  if (searches !== undefined) return `climate-nextgen-${flavour.name}_cart`;
  const values = [...filters, ...groups].map(([, value]) => plain(value)).filter(Boolean);
  return [`climate-nextgen-${flavour.name}`, ...values].join("_").slice(0, MAX_NAME);
}

/** Content-Disposition of a download (RFC 6266); the name has plain characters only. */
export const attachment = (name: string): string => `attachment; filename="${name}"`;

export function searchInWords(source: CatalogueSource): string {
  const { flavour, filters, options, searches, groups = [] } = source;
  if (searches !== undefined) {
    const noun = searches === 1 ? "search finds" : "searches find together";
    return `What a cart of ${searches} ${noun}, in the words of the flavour ${flavour.name}`;
  }
  const parts = [...filters, ...Object.entries(options), ...groups].map(
    ([key, value]) => `${key}=${value}`,
  );
  return parts.length === 0
    ? `Everything in the flavour ${flavour.name}`
    : `What a search in the flavour ${flavour.name} finds for ${parts.join(", ")}`;
}

/** Address of an operation for the same search. @param more options of the operation */
export function operationAddress(
  source: CatalogueSource,
  operation: OperationName,
  more: Readonly<Record<string, string>> = {},
): string {
  const { filters, options, groups = [], api, flavour, key } = source;
  const traits = OPERATIONS[operation];
  const all = [
    ...filters,
    ...Object.entries({ ...options, ...more }),
    ...(traits.groups ? groups : []),
  ];
  const query = new URLSearchParams(all.map(([key, value]) => [key, value])).toString();
  const path = traits.path.replace("{flavour}", flavour.name).replace("{uniq_key}", key);
  return query === "" ? api + path : `${api}${path}?${query}`;
}
