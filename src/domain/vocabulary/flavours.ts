/**
 * The flavours: data reference syntaxes with their own names for some of the facets. All differences between flavours are
 * columns of this table (search-semantics, "Facets and flavours").
 */
import { type CountedField, FACET_NAMES, FACETS, type Facet } from "./facets.js";

/** A part of a dataset name: a facet's value, or a fixed word. */
export type NamePart = Facet | { readonly word: string };

interface FlavourTraits {
  /** Facets with another name than the native one. Also lists every special facet of the standard, even under its native name. */
  readonly renamed: Partial<Record<Facet, string>>;
  /** Example values, if the facet's own example belongs to another standard. */
  readonly examples?: Partial<Record<Facet, string>>;
  /** Primary facets besides those that are primary in every flavour. */
  readonly alsoPrimary?: readonly Facet[];
  /** Searches find only user data; without it they find none. */
  readonly userData?: "only";
  /** Whether it has every facet, including those of user data and of few standards. */
  readonly knowsUser?: true;
  /** Lower-case values of `project` whose documents follow this standard. */
  readonly projects?: readonly string[];
  /** The parts of a dataset name, in order, without the version. */
  readonly datasetId?: readonly NamePart[];
  /** Facets that the standard does not have. */
  readonly lacks?: readonly Facet[];
}

const REGIONAL: readonly Facet[] = ["rcm_name", "driving_model", "rcm_version"];

const table = {
  native: { renamed: {}, knowsUser: true },
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
    projects: ["cmip6"],
    // CMIP6 Global Attributes, DRS, Filenames, Directory Structure, and CV's (v6.2.7), "Directory structure template".
    datasetId: [
      "project",
      "product",
      "institute",
      "model",
      "experiment",
      "ensemble",
      "cmor_table",
      "variable",
      "grid_label",
    ],
  },
  cmip5: {
    renamed: { institute: "institution_id", model: "model_id", ensemble: "member_id" },
    examples: { model: "MPI-ESM-LR", ensemble: "r1i1p1" },
    projects: ["cmip5"],
    // CMIP5 DRS (v1.3.1), 2.2, as ESGF published it: all variables of one table of a run are one dataset.
    datasetId: [
      { word: "cmip5" },
      "product",
      "institute",
      "model",
      "experiment",
      "time_frequency",
      "realm",
      "cmor_table",
      "ensemble",
    ],
  },
  cordex: {
    renamed: { product: "domain", institute: "institution" },
    examples: { product: "EUR-11", institute: "CLMcom" },
    alsoPrimary: REGIONAL,
    projects: ["cordex"],
    // CORDEX Archive Design (2014), 5.1. The facet `product` holds the domain; the regional model is as file names have it.
    datasetId: [
      { word: "cordex" },
      { word: "output" },
      "product",
      "institute",
      "driving_model",
      "experiment",
      "ensemble",
      "rcm_name",
      "rcm_version",
      "time_frequency",
      "variable",
    ],
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
    projects: ["nextgems"],
    // As the files are named: a file holds all variables of a kind of levels, a frequency and a grid.
    datasetId: [
      "project",
      "product",
      "institute",
      "model",
      "experiment",
      "realm",
      "level_type",
      "time_frequency",
      "time_aggregation",
      "grid_id",
    ],
  },
  cmip7: {
    renamed: {
      project: "mip_era",
      product: "activity_id",
      institute: "institution_id",
      model: "source_id",
      experiment: "experiment_id",
      time_frequency: "frequency",
      variable: "variable_id",
      ensemble: "variant_label",
      region: "region",
      branding_suffix: "branding_suffix",
    },
    alsoPrimary: ["region", "branding_suffix"],
    projects: ["cmip7"],
    // CMIP7 Global Attributes, DRS, Filenames, Directory Structure and CVs (guidance 1.1), "Directory structure".
    datasetId: [
      { word: "MIP-DRS7" },
      "project",
      "product",
      "institute",
      "model",
      "experiment",
      "ensemble",
      "region",
      "time_frequency",
      "variable",
      "branding_suffix",
      "grid_label",
    ],
    lacks: ["cmor_table"],
  },
  "cordex-cmip6": {
    renamed: {
      project: "project_id",
      // As in CORDEX: the domain takes the place of the activity.
      product: "domain_id",
      institute: "institution_id",
      // The regional model; `rcm_name` may hold it too, for searches of all CORDEX data in native names.
      model: "source_id",
      experiment: "driving_experiment_id",
      time_frequency: "frequency",
      variable: "variable_id",
      ensemble: "driving_variant_label",
      driving_model: "driving_source_id",
      rcm_version: "version_realization",
    },
    examples: { project: "CORDEX", product: "EUR-11", institute: "CLMcom", ensemble: "r1i1p1" },
    alsoPrimary: ["driving_model", "rcm_version"],
    projects: ["cordex-cmip6"],
    // CORDEX-CMIP6 Archiving Specifications for Dynamical Downscaling (v2), 4. DD is the only activity.
    datasetId: [
      "project",
      { word: "DD" },
      "product",
      "institute",
      "driving_model",
      "experiment",
      "ensemble",
      "model",
      "rcm_version",
      "time_frequency",
      "variable",
    ],
    lacks: ["cmor_table"],
  },
  user: { renamed: {}, userData: "only", knowsUser: true },
} as const satisfies Record<string, FlavourTraits>;

/** A flavour of this table; users define others (src/server/flavours/own-flavours.ts). */
export type BuiltIn = keyof typeof table;

/** A built-in or a user's flavour. */
export interface Flavour extends FlavourTraits {
  /** As in URLs. */
  readonly name: string;
}

/** In the order of the overview. */
export const FLAVOUR_NAMES = Object.keys(table) as readonly BuiltIn[];

export const FLAVOURS = Object.fromEntries(
  FLAVOUR_NAMES.map((name) => [name, { name, ...table[name] }]),
) as Readonly<Record<BuiltIn, Flavour>>;

export const builtIn = (name: string): Flavour | undefined =>
  Object.hasOwn(FLAVOURS, name) ? FLAVOURS[name as BuiltIn] : undefined;

/**
 * The names of facets in a flavour.
 *
 * @param translate false keeps the native names
 */
export function translation(
  flavour: Flavour,
  translate = true,
): { name(facet: CountedField): string } {
  const { renamed }: { renamed: Partial<Record<string, string>> } = translate
    ? flavour
    : FLAVOURS.native;
  return { name: (facet) => renamed[facet] ?? facet };
}

/** Makes something of each flavour once. */
export function madeOnce<T extends object>(make: (flavour: Flavour) => T): (flavour: Flavour) => T {
  const made = new WeakMap<Flavour, T>();
  return (flavour) => {
    const value = made.get(flavour) ?? make(flavour);
    made.set(flavour, value);
    return value;
  };
}

/** The facets that a flavour can search, in the order of facets. */
export const searchableFacets = madeOnce((flavour): readonly Facet[] => {
  const { knowsUser, renamed, lacks = [] } = flavour;
  return FACET_NAMES.filter((facet) => {
    const { ofUserData, special } = FACETS[facet];
    if (lacks.includes(facet)) return false;
    return knowsUser || facet in renamed || !(ofUserData || special);
  });
});

/** The facets that a flavour shows by default, in the order of facets. */
export const listedFacets = madeOnce((flavour): readonly Facet[] => {
  const { renamed } = flavour;
  return searchableFacets(flavour).filter((facet) => facet in renamed || !FACETS[facet].special);
});

/** The primary facets of a flavour, by native name. */
export const primaryFacets = madeOnce((flavour): readonly Facet[] => {
  const own = new Set<Facet>(flavour.alsoPrimary ?? []);
  return FACET_NAMES.filter((facet) => own.has(facet) || FACETS[facet].primary);
});
