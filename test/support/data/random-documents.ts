/** Documents by chance in which every kind of constraint finds some: several values, spellings, versions, gaps in time. */
import { datasetId } from "../../../src/domain/vocabulary/dataset-id.js";
import { FACETS, type Facet } from "../../../src/domain/vocabulary/facets.js";
import type { TestDocument } from "../service/service.js";
import { type Known, known } from "./known-documents.js";

/** Facets that documents have here, with their values; some have characters that search languages give a meaning. */
export const VALUES = {
  project: ["CMIP6", "cordex", "nextGEMS"],
  product: ["CMIP", "ScenarioMIP"],
  institute: ["MPI-M", "MOHC", "Météo"],
  model: ["MPI-ESM1-2-LR", "MPI-ESM1-2-HR", "UKESM1-0-LL", "m:4 (a OR b)", 'q"uo\\te', "MPI;ESM"],
  experiment: ["historical", "ssp585", "star*"],
  time_frequency: ["mon", "day", "fx", "yr"],
  realm: ["atmos", "ocean"],
  variable: ["tas", "pr", "ta", "areacella", "what?"],
  ensemble: ["r1i1p1f1", "r2i1p1f1", "r3i1p1f1", "r3,\u0001i1"],
  time_aggregation: ["mean", "max"],
  fs_type: ["posix", "hsm", "swift"],
  grid_label: ["gn", "gr"],
  cmor_table: ["Amon", "day", "fx"],
  format: ["nc", "zarr"],
  level_type: ["2d", "3d"],
  region: ["glb", "30s-90s"],
  dataset: ["one", "two"],
  units: ["K", "kg m-2 s-1"],
  standard_name: ["air_temperature", "precipitation_flux"],
  long_name: ["Near-Surface Air Temperature", "Precipitation"],
  license: ["CC BY 4.0", "CC0"],
  user: ["jane", "ada"],
} as const satisfies Partial<
  Record<Facet | "units" | "standard_name" | "long_name" | "license", readonly string[]>
>;

export type Valued = keyof typeof VALUES;
export const VALUED = Object.keys(VALUES) as readonly Valued[];

/** How often a dataset has a value of each; of those that are missing here, most often. */
const SHARES: Partial<Record<Valued, number>> = {
  user: 0,
  region: 0.3,
  dataset: 0.7,
  units: 0.5,
  long_name: 0.4,
  license: 0.4,
  product: 0.8,
  time_aggregation: 0.4,
  grid_label: 0.5,
  format: 0.5,
  level_type: 0.4,
};
const SEVERAL = new Set<Valued>(["variable", "realm", "product", "grid_label", "model", "units"]);
const DATASETS = 110;

export interface Chance {
  readonly random: () => number;
  readonly below: (count: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
}

export function chances(random: () => number): Chance {
  const below = (count: number): number => Math.floor(random() * count);
  return { random, below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}

/** Now and then a value is written in another case. */
function spelled({ random, pick }: Chance, value: string): string {
  return random() < 0.9 ? value : pick([value.toUpperCase(), value.toLowerCase()]);
}

function valuesOf(chance: Chance, name: Valued): string | string[] | undefined {
  const { random, pick } = chance;
  if (random() > (SHARES[name] ?? 0.93)) return undefined;
  const one = (): string => spelled(chance, pick<string>(VALUES[name]));
  const isSingle = name in FACETS ? FACETS[name as Facet].single : name === "license";
  if (isSingle || !SEVERAL.has(name) || random() < 0.7) return one();
  return [...new Set(Array.from({ length: 2 + Math.floor(random() * 2) }, one))];
}

/** Some are open, some constant, some one date; the others cover a few years, with gaps and overlaps. */
function periodOf({ random, below, pick }: Chance, slice: number): string | undefined {
  const kind = random();
  if (kind < 0.08) return undefined;
  if (kind < 0.12) return "fx";
  const year = 1980 + slice * 5 + (random() < 0.2 ? pick([-2, 1]) : 0);
  if (kind < 0.15) return String(year);
  if (kind < 0.18) return `[${year} TO *]`;
  const end = year + (random() < 0.2 ? 3 : 4);
  return random() < 0.3
    ? `[${year}-0${1 + below(9)}-11T06:00:00Z TO ${end}-12-31T23:59:59Z]`
    : `[${year}-01-01T00:00:00Z TO ${end}-12-31T23:59:59Z]`;
}

function boxOf({ random, below, pick }: Chance): string | undefined {
  if (random() < 0.2) return undefined;
  const west = below(330) - 170;
  return pick([
    "ENVELOPE(-180,180,90,-90)",
    "ENVELOPE(-180.0,180,90.0,-90)",
    "ENVELOPE(0,360,90,-90)",
    `ENVELOPE(${west},${west + 1 + below(60)},${10 + below(70)},${-below(60)})`,
  ]);
}

/** The documents of some datasets, as they are posted, and as they are known here. */
export function randomDocuments(random: () => number): { posted: TestDocument[]; known: Known[] } {
  const chance = chances(random);
  const { below, pick } = chance;
  const made: TestDocument[] = [];
  for (let dataset = 0; dataset < DATASETS; dataset++) {
    const facets = Object.fromEntries(
      VALUED.flatMap((name) => {
        const values = valuesOf(chance, name);
        return values === undefined ? [] : [[name, values]];
      }),
    );
    const isOwn = random() < 0.15;
    const versions = random() < 0.25 ? ["v20190101", "v20200101"] : ["v20190101"];
    for (let slice = 0; slice < 1 + below(4); slice++) {
      for (const version of versions) {
        const [time, bbox] = [periodOf(chance, slice), boxOf(chance)];
        made.push({
          ...facets,
          // A file of it may have a variable of its own.
          ...(random() < 0.1 && { variable: spelled(chance, pick(VALUES.variable)) }),
          file: `/data/D${dataset}/${version}/${slice ? "S" : "s"}${slice}.nc`,
          version,
          ...(random() < 0.8 && {
            uri: `https://data.example.org/D${dataset}/${version}/${slice}`,
          }),
          ...(time !== undefined && { time }),
          ...(bbox !== undefined && { bbox }),
          ...(random() < 0.8 && { size: below(1_000_000) }),
          ...(random() < 0.3 && { retracted: random() < 0.5 }),
          ...(isOwn && { user: spelled(chance, pick(VALUES.user)) }),
        });
      }
    }
  }
  return { posted: made, known: knownVersions(made) };
}

/** Documents with dated versions, of which the newest of each dataset is known. */
export function knownVersions(documents: readonly TestDocument[]): Known[] {
  const best = new Map<string, string>();
  const datasetIn = (one: TestDocument): string =>
    datasetId(one)?.toLowerCase() ?? one.file.split("/").slice(0, 3).join("/");
  for (const one of documents) {
    const version = String(one.version);
    const other = best.get(datasetIn(one)) ?? "";
    if (one.user === undefined && version > other) best.set(datasetIn(one), version);
  }
  // User data have no older versions.
  return documents.map((one) =>
    known(one, one.user !== undefined || best.get(datasetIn(one)) === one.version),
  );
}
