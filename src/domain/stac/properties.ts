/**
 * The properties of STAC items: their names, and what they are in the index.
 *
 * A dataset has the names of its own standard with the standard's name before them, such as `cmip6:variable_id`. Filters may
 * also name them bare, with `properties.`, or by their native names.
 */

import type { Property } from "../cql2/property.js";
import { FIRST, LAST } from "../cql2/temporal-clauses.js";
import { allBut, allOf, anyOf, exactly, exists } from "../search/lucene.js";
import { COUNTABLE_DETAILS, DETAILS, isDetail } from "../vocabulary/details.js";
import { FACET_NAMES, FACETS, type Facet } from "../vocabulary/facets.js";
import { FLAVOUR_NAMES, FLAVOURS, type Flavour, listedFacets } from "../vocabulary/flavours.js";

/** Facets that are no properties of a dataset: `user` is private, the others have properties of STAC. */
const HIDDEN: ReadonlySet<Facet> = new Set(["time", "bbox", "user"]);

/** Details that items show, under their own names. */
export const ITEM_DETAILS = [
  "standard_name",
  "long_name",
  "units",
  "nominal_resolution",
  "further_info_url",
] as const;

const instant = (field: string, shown: "first" | "last"): Property => ({
  kind: "instant",
  start: { field, shown },
  end: { field, shown },
});
export const FILE_PERIOD = {
  start: { field: "time_start", missing: FIRST },
  end: { field: "time_end", missing: LAST },
} as const;
const START = { ...FILE_PERIOD.start, shown: "first" } as const;
const END = { ...FILE_PERIOD.end, shown: "last" } as const;

/** ESGF's word for files that a web server gives. */
export const WEB_ACCESS = "HTTPServer";
/** Files on this machine's disks, without stores of many files. */
const SERVED = allOf([exactly("fs_type", "posix"), allBut(exactly("format", "zarr"))]);

/** The project whose data are cited at the World Data Center for Climate by the names of datasets. */
export const CITED_PROJECT = "cmip6";

/** The properties with the same names in all collections. */
const COMMON: Readonly<Record<string, Property>> = {
  id: { kind: "id" },
  collection: { kind: "text", field: "project" },
  geometry: { kind: "geometry" },
  datetime: { kind: "instant", start: START, end: END },
  start_datetime: { kind: "instant", start: START, end: START },
  end_datetime: { kind: "instant", start: END, end: END },
  created: instant("added", "first"),
  updated: instant("updated", "last"),
  project: { kind: "text", field: "project" },
  dataset_id: { kind: "text", field: "dataset_id" },
  title: { kind: "text", field: "dataset_id" },
  version: { kind: "text", field: "version" },
  latest: { kind: "flag", value: true },
  retracted: { kind: "flag", field: "retracted" },
  "alternate:name": { kind: "text", field: "fs_type" },
  access: { kind: "derived", known: SERVED, values: new Map([[WEB_ACCESS, SERVED]]) },
  citation_url: {
    kind: "derived",
    known: allOf([exactly("project", CITED_PROJECT), exists("version")]),
  },
};

/** Other names of ESGF for the same properties. */
const ALIASES: Readonly<Record<string, Facet | (typeof ITEM_DETAILS)[number]>> = {
  variant_label: "ensemble",
  member_id: "ensemble",
  institution_id: "institute",
  source_id: "model",
  variable_long_name: "long_name",
  variable_cf_standard_name: "standard_name",
  cf_standard_name: "standard_name",
  variable_units: "units",
};

/** Shown by items, but sums of their files: no filter can compare them. */
const NOT_COMPARABLE: ReadonlySet<string> = new Set(["size", "files"]);
export const isNotComparable = (name: string): boolean => NOT_COMPARABLE.has(bareName(name));

/** The standards, whose names may precede those of properties. */
const STANDARDS: readonly Flavour[] = FLAVOUR_NAMES.map((name) => FLAVOURS[name]).filter(
  ({ projects }) => projects !== undefined,
);

export const standardOf = (project: string): Flavour | undefined =>
  STANDARDS.find(({ projects }) => projects?.includes(project.toLowerCase()));

interface NamedFacet {
  readonly facet: Facet;
  readonly name: string;
}

/** The facets of items of a project, with their names. */
export function itemFacets(project: string): NamedFacet[] {
  const standard = standardOf(project);
  const facets = listedFacets(standard ?? FLAVOURS.native);
  return facets
    .filter((facet) => !HIDDEN.has(facet))
    .map((facet) => ({ facet, name: facetName(facet, standard) }));
}

/** `project` has the same name everywhere; `mip_era` follows it in the standards that call it so. */
function facetName(facet: Facet, standard: Flavour | undefined): string {
  if (standard === undefined) return facet;
  const { renamed }: { renamed: Partial<Record<Facet, string>> } = standard;
  return `${standard.name}:${renamed[facet] ?? facet}`;
}

const bareName = (name: string): string => name.replace(/^properties\./, "");

/** The facet that a name means in a standard; native names are known in all. */
function facetIn(standard: Flavour, name: string): Facet | undefined {
  const renamed = Object.entries(standard.renamed).find(([, own]) => own === name);
  return (renamed?.[0] as Facet | undefined) ?? nativeFacet(name);
}

const nativeFacet = (name: string): Facet | undefined =>
  Object.hasOwn(FACETS, name) ? (name as Facet) : undefined;

/** Files of collections. Their names are compared without regard to case: clients write them in lower case. */
export const collectionsClause = (collections: readonly string[]): string =>
  anyOf(collections.map((name) => exactly("project", name)));

/** @param own the standard whose name is before the property's: items of others do not have it */
function ofField(field: string, own?: Flavour): Property {
  if (HIDDEN.has(field as Facet)) return { kind: "unknown" };
  const projects = own?.projects;
  if (projects === undefined) return { kind: "text", field };
  return { kind: "text", field, owners: { projects, clause: collectionsClause(projects) } };
}

/**
 * The fields of the index behind a property; `unknown` if no item has it.
 *
 * @param standard that of the collections, whose names go before those of others
 */
export function propertyOf(name: string, standard?: Flavour): Property {
  const text = bareName(name);
  if (Object.hasOwn(COMMON, text)) return COMMON[text] as Property;
  const colon = text.indexOf(":");
  const prefix = text.slice(0, Math.max(colon, 0));
  const own = STANDARDS.find((one) => one.name === prefix);
  if (colon >= 0 && own === undefined) return { kind: "unknown" };
  const bare = text.slice(colon + 1);
  if (own !== undefined && Object.hasOwn(COMMON, bare)) return COMMON[bare] as Property;
  const inOrder = own !== undefined ? [own] : [...(standard ? [standard] : []), ...STANDARDS];
  const native = own === undefined && standard === undefined ? nativeFacet(bare) : undefined;
  const [first] = inOrder.flatMap((one) => facetIn(one, bare) ?? []);
  const facet = native ?? first;
  const owner = own === standard ? undefined : own;
  if (facet !== undefined) return ofField(facet, owner);
  if (Object.hasOwn(ALIASES, bare)) return ofField(ALIASES[bare] as string, owner);
  if (isDetail(bare) && DETAILS[bare].kind === "text") return ofField(bare, owner);
  return { kind: "unknown" };
}

/** Whether whole indexes have few enough values of a field to count each. */
export const isCountable = (field: string): boolean =>
  field === "version" ||
  Object.hasOwn(FACETS, field) ||
  COUNTABLE_DETAILS.some((one) => one === field);

/** The standard and the name of a property that are joined by an underscore, as names of aggregations have them. */
export function standardNameOf(text: string): { standard: Flavour; name: string } | undefined {
  const [standard] = STANDARDS.filter(({ name }) => text.startsWith(`${name}_`));
  return standard && { standard, name: text.slice(standard.name.length + 1) };
}

/** The standards that data of these projects follow; undefined stands for native names. */
export function standardsOf(projects: readonly string[]): readonly (Flavour | undefined)[] {
  return [...new Set(projects.map(standardOf))];
}

/** The standard that data of all these projects follow; undefined if there is not one. */
export function sharedStandard(projects: readonly string[]): Flavour | undefined {
  const [first, ...others] = standardsOf(projects);
  return others.length === 0 ? first : undefined;
}

/** All text fields that items show. */
export const ITEM_FIELDS: readonly string[] = [
  ...FACET_NAMES.filter((facet) => !HIDDEN.has(facet)),
  ...ITEM_DETAILS,
];
