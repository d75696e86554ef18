/**
 * The flavours: data reference syntaxes, each with its own names for some of the facets.
 *
 * One table of data; everything that differs between flavours is a column of it
 * (search-semantics, "Facets and flavours").
 */
import { type CountedField, FACET_NAMES, FACETS, type Facet } from "./facets.js";

/** A part of a dataset's name: what a document has of a facet, or a word that all names have. */
export type NamePart = Facet | { readonly word: string };

interface FlavourTraits {
  /**
   * Facets that this flavour names differently; every other facet keeps its native name. One that few standards have is
   * named here by all that have it, also if they call it so.
   */
  readonly renamed: Partial<Record<Facet, string>>;
  /** Values that the sample catalogue has, where the facet's own example is another standard's. */
  readonly examples?: Partial<Record<Facet, string>>;
  /** Facets that are primary in this flavour besides those that always are. */
  readonly alsoPrimary?: readonly Facet[];
  /** Whether registered user data is all that is searched, or is left out. */
  readonly userData: "only" | "excluded";
  /** Whether it knows every facet: those that only registered data have, and those of few standards. */
  readonly knowsUser?: true;
  /** Values of `project`, in lower case, whose documents follow this standard. */
  readonly projects?: readonly string[];
  /** The parts of a dataset's name in the standard, in their order; a version follows them. */
  readonly datasetId?: readonly NamePart[];
  /** Facets that the standard does not have. */
  readonly lacks?: readonly Facet[];
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
    projects: ["cmip6"],
    // CMIP6 Global Attributes, DRS, Filenames, Directory Structure, and CV's (v6.2.7), "Directory structure template".
    datasetId: [
      ...["project", "product", "institute", "model", "experiment", "ensemble"],
      ...["cmor_table", "variable", "grid_label"],
    ] as Facet[],
  },
  cmip5: {
    renamed: { institute: "institution_id", model: "model_id", ensemble: "member_id" },
    examples: { model: "MPI-ESM-LR", ensemble: "r1i1p1" },
    userData: "excluded",
    projects: ["cmip5"],
    // CMIP5 DRS (v1.3.1), 2.2, as ESGF published it: all variables of one table of a run are one dataset.
    datasetId: [
      { word: "cmip5" },
      ...["product", "institute", "model", "experiment", "time_frequency", "realm"],
      ...["cmor_table", "ensemble"],
    ] as NamePart[],
  },
  cordex: {
    renamed: { product: "domain", institute: "institution" },
    examples: { product: "EUR-11", institute: "CLMcom" },
    alsoPrimary: REGIONAL,
    userData: "excluded",
    projects: ["cordex"],
    // CORDEX Archive Design (2014), 5.1, as ESGF published it. The facet `product` holds the domain.
    datasetId: [
      ...[{ word: "cordex" }, { word: "output" }],
      ...["product", "institute", "driving_model", "experiment", "ensemble", "rcm_name"],
      ...["rcm_version", "time_frequency", "variable"],
    ] as NamePart[],
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
    projects: ["nextgems"],
    // As the files are named: one holds all variables of a kind of levels, a frequency and a grid.
    datasetId: [
      ...["project", "product", "institute", "model", "experiment", "realm", "level_type"],
      ...["time_frequency", "time_aggregation", "grid_id"],
    ] as Facet[],
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
    userData: "excluded",
    projects: ["cmip7"],
    // CMIP7 Global Attributes, DRS, Filenames, Directory Structure and CVs (guidance 1.1), "Directory structure".
    datasetId: [
      { word: "MIP-DRS7" },
      ...["project", "product", "institute", "model", "experiment", "ensemble", "region"],
      ...["time_frequency", "variable", "branding_suffix", "grid_label"],
    ] as NamePart[],
    lacks: ["cmor_table"],
  },
  "cordex-cmip6": {
    renamed: {
      project: "project_id",
      // As in CORDEX before: the region takes the place that an activity has elsewhere.
      product: "domain_id",
      institute: "institution_id",
      // The regional model; `rcm_name` may hold it as well, for those who search all of CORDEX in native names.
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
    userData: "excluded",
    projects: ["cordex-cmip6"],
    // CORDEX-CMIP6 Archiving Specifications for Dynamical Downscaling (v2), 4. DD is the only activity that there is.
    datasetId: [
      ...["project", { word: "DD" }, "product", "institute", "driving_model", "experiment"],
      ...["ensemble", "model", "rcm_version", "time_frequency", "variable"],
    ] as NamePart[],
    lacks: ["cmor_table"],
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
  const { knowsUser, renamed, lacks = [] } = flavour;
  return FACET_NAMES.filter((facet) => {
    const { ofUserData, special } = FACETS[facet];
    if (lacks.includes(facet)) return false;
    return knowsUser || facet in renamed || !(ofUserData || special);
  });
}

/** The facets that a flavour shows to whoever does not ask for others by name, in the order of facets. */
export function listedFacets(flavour: Flavour): Facet[] {
  const { renamed } = flavour;
  return searchableFacets(flavour).filter((facet) => facet in renamed || !FACETS[facet].special);
}

/** The facets that are primary in a flavour, by native name. */
export function primaryFacets(flavour: Flavour): Facet[] {
  const own = new Set<Facet>(flavour.alsoPrimary ?? []);
  return FACET_NAMES.filter((facet) => own.has(facet) || FACETS[facet].primary);
}
