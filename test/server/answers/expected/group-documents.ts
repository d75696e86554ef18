/** Files of random groups. */
import type { TestDocument } from "../../../support/service/service.js";

/** Values that files have, by the names of CMIP6. Some mean something in the language of needs, or of Solr. */
export const FACETS = {
  source_id: ["MPI;ESM", "CESM\\2", "UK:ESM1 *", 'IPSL"$}{!x}'],
  member_id: ["r1i1p1f1", "r2i1p1f1", "r3,\u0001i1"],
  experiment_id: ["historical", "ssp585", "hist-nat"],
  grid_label: ["gn", "gr"],
  variable_id: ["tas", "pr", "areacella", "${solr.home}"],
  table_id: ["Amon", "fx", "Omon"],
  license: ["CC BY 4.0; see https://example.org/?a=b", "none"],
} as const;

/** The facets by their names in CMIP6, and by their native ones. */
export const NATIVE = {
  source_id: "model",
  member_id: "ensemble",
  experiment_id: "experiment",
  grid_label: "grid_label",
  variable_id: "variable",
  table_id: "cmor_table",
  license: "license",
} as const satisfies Readonly<Record<keyof typeof FACETS, keyof GroupDocument>>;

export interface GroupDocument extends TestDocument {
  readonly model: readonly string[];
  readonly ensemble: readonly string[];
  readonly experiment: readonly string[];
  readonly grid_label: readonly string[];
  readonly variable: readonly string[];
  readonly cmor_table: readonly string[];
  readonly time_frequency: readonly string[];
  readonly license?: string;
  readonly dataset: string;
  readonly time?: string;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** @param dataset `odd`: values in several spellings, several of one facet and none, too */
export function randomDocuments(
  random: () => number,
  count: number,
  dataset: "plain" | "odd",
): GroupDocument[] {
  const isOdd = dataset === "odd";
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const spelled = (text: string): string =>
    isOdd && random() < 0.3 ? one([text.toUpperCase(), text.toLowerCase()]) : text;
  const few = (all: readonly string[]): string[] => {
    if (random() < 0.04) return [];
    const values = [one(all), ...(random() < 0.1 ? [one(all), one(all)] : [])];
    return [...new Set(values)].map(spelled);
  };
  return Array.from({ length: count }, (_, index) => {
    const cmor_table = few(FACETS.table_id);
    const license = random() < 0.5 ? one(FACETS.license) : undefined;
    const time = timeOf(random);
    return {
      file: `/${dataset}/${String(index).padStart(4, "0")}`,
      dataset,
      project: ["CMIP6"],
      model: few(FACETS.source_id),
      ensemble: few(FACETS.member_id),
      experiment: few(FACETS.experiment_id),
      grid_label: [spelled(one(FACETS.grid_label))],
      variable: few(FACETS.variable_id),
      cmor_table,
      time_frequency: random() < 0.1 ? [] : [one(["mon", "mon", "yr", "day", "fx", "nonsense"])],
      ...(license !== undefined && { license: spelled(license) }),
      ...(time !== undefined && { time }),
    };
  });
}

/** Some whole months or years, some to the middle of a month, constant ones, and none. */
function timeOf(random: () => number): string | undefined {
  const kind = random();
  if (kind < 0.05) return undefined;
  if (kind < 0.15) return "fx";
  const start = (1848 + Math.floor(random() * 5)) * 12 + Math.floor(random() * 12);
  const length = kind < 0.6 ? 1 + Math.floor(random() * 30) : 12 * (2 + Math.floor(random() * 4));
  const first = kind < 0.6 ? start : Math.floor(start / 12) * 12;
  const month = (number: number): string => `${Math.floor(number / 12)}-${two((number % 12) + 1)}`;
  return `[${month(first)} TO ${month(first + length - 1)}]`;
}
