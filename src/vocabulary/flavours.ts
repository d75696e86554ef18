/**
 * The flavours: data reference syntaxes, each with its own names for some of the facets.
 *
 * One table of data; everything that differs between flavours is a column of it
 * (search-semantics, "Facets and flavours").
 */
import { type CountedField, FACET_NAMES, FACETS, type Facet } from "./facets.js";

interface FlavourTraits {
  /** Facets that this flavour names differently; every other facet keeps its native name. */
  readonly renamed: Partial<Record<Facet, string>>;
  /** Values that the sample catalogue has, where the facet's own example is another standard's. */
  readonly examples?: Partial<Record<Facet, string>>;
  /** Facets that are primary in this flavour besides those that always are. */
  readonly alsoPrimary?: readonly Facet[];
  /** Whether registered user data is all that is searched, or is left out. */
  readonly userData: "only" | "excluded";
  /** Whether it knows facets that only registered data have. */
  readonly knowsUser?: true;
}

const REGIONAL: readonly Facet[] = ["rcm_name", "driving_model", "rcm_version"];

const table = {
  native: { renamed: {}, userData: "excluded", knowsUser: true },
  cmip6: {
    renamed: {
      project: "mip_era",
      product: "activity_id",
      institute: "institution_id",
      model: "source_id",
      experiment: "experiment_id",
      time_frequency: "frequency",
      variable: "variable_id",
      ensemble: "member_id",
      cmor_table: "table_id",
    },
    userData: "excluded",
  },
  cmip5: {
    renamed: { institute: "institution_id", model: "model_id", ensemble: "member_id" },
    examples: { model: "MPI-ESM-LR", ensemble: "r1i1p1" },
    userData: "excluded",
  },
  cordex: {
    renamed: { product: "domain", institute: "institution" },
    examples: { product: "EUR-11", institute: "CLMcom" },
    alsoPrimary: REGIONAL,
    userData: "excluded",
  },
  nextgems: {
    renamed: {
      product: "experiment_id",
      institute: "institution_id",
      model: "source_id",
      experiment: "simulation_id",
      variable: "variable_id",
      ensemble: "member_id",
      time_aggregation: "time_reduction",
    },
    examples: { product: "nextgems_cycle3", model: "ICON", experiment: "ngc3028" },
    userData: "excluded",
  },
  user: { renamed: {}, userData: "only", knowsUser: true },
} as const satisfies Record<string, FlavourTraits>;

/** A flavour of the table; others are made by users (own-flavour.ts). */
export type BuiltIn = keyof typeof table;

/** A flavour, wherever it comes from. */
export interface Flavour extends FlavourTraits {
  /** As it stands in addresses. */
  readonly name: string;
}

/** Every built-in flavour, in the order in which the overview names them. */
export const FLAVOUR_NAMES = Object.keys(table) as readonly BuiltIn[];

export const FLAVOURS = Object.fromEntries(
  FLAVOUR_NAMES.map((name) => [name, { name, ...table[name] }]),
) as Readonly<Record<BuiltIn, Flavour>>;

/** The built-in flavour of a name, if it is one's. */
export const builtIn = (name: string): Flavour | undefined =>
  Object.hasOwn(FLAVOURS, name) ? FLAVOURS[name as BuiltIn] : undefined;

/** What facet names mean in one flavour. */
export interface Translation {
  /** The name that the flavour has for a facet. */
  name(facet: CountedField): string;
}

/**
 * The one function that translates facet names, both ways.
 *
 * @param translate `false` keeps the native names, whatever the flavour.
 */
export function translation(flavour: Flavour, translate = true): Translation {
  const { renamed }: { renamed: Partial<Record<string, string>> } = translate
    ? flavour
    : FLAVOURS.native;
  return { name: (facet) => renamed[facet] ?? facet };
}

/** The facets by which a flavour can be searched, in the order of facets. */
export function searchableFacets(flavour: Flavour): Facet[] {
  return FACET_NAMES.filter((facet) => flavour.knowsUser || !FACETS[facet].ofUserData);
}

/** The facets that are primary in a flavour, by native name. */
export function primaryFacets(flavour: Flavour): Facet[] {
  const own = new Set<Facet>(flavour.alsoPrimary ?? []);
  return FACET_NAMES.filter((facet) => own.has(facet) || FACETS[facet].primary);
}
