/** Documents that are odd in every way that changes what is counted, and what a search finds of them, by plain arithmetic. */
import type { TestDocument } from "../support/service.js";

/** A document, and what the oracle has to know of it. */
export interface Odd {
  readonly document: TestDocument;
  /** By native names, in lower case; of all but these a document has nothing. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Years, the last one with it; always there where both are left out but `isTimed`. */
  readonly years?: readonly [first: number, last: number];
  readonly isConstant: boolean;
  /** West, east, north, south. */
  readonly box?: readonly [number, number, number, number];
  readonly size?: number;
  readonly isLatest: boolean;
  readonly isOwn: boolean;
  readonly isRetracted: boolean;
}

const MODELS = ["MPI-ESM1-2-LR", "mpi-esm1-2-lr", "MPI-ESM1-2-HR", "AWI-CM-1-1-MR", "CanESM5"];
const VARIABLES = ["tas", "TAS", "pr", "psl", "ta", "hurs"];
const NAMES: Readonly<Record<string, readonly [standard: string, long: string]>> = {
  tas: ["air_temperature", "Near-Surface Air Temperature"],
  pr: ["precipitation_flux", "Precipitation"],
};
const EXPERIMENTS = ["historical", "Historical", "ssp585", "ssp126", "piControl"];
const MEMBERS = ["r1i1p1f1", "r2i1p1f1", "r10i1p1f1", "R1I1P1F1"];
const STORAGE = ["posix", "HSM", "hsm", "swift", undefined];
const FORMATS = ["nc", "NC", "zarr", undefined];

const lower = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.toLowerCase())),
];

/** @param random chance from 0 to 1 */
export function oddDocuments(random: () => number, count: number): Odd[] {
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const some = <T>(from: readonly T[], most: number): T[] =>
    Array.from({ length: 1 + below(most) }, () => pick(from));
  return Array.from({ length: count }, (_, index) => made(index)).flat();

  function made(index: number): Odd[] {
    const isOwn = random() < 0.1;
    const size = random() < 0.6 ? below(2 ** 40) : undefined;
    const isRetracted = random() < 0.1;
    const model = some(MODELS, random() < 0.2 ? 2 : 1);
    const variable = some(VARIABLES, random() < 0.4 ? 4 : 1);
    const experiment = some(EXPERIMENTS, 1);
    const ensemble = some(MEMBERS, 1);
    const [fs_type, format] = [pick(STORAGE), pick(FORMATS)];
    const names = variable.flatMap((name) => [NAMES[name.toLowerCase()] ?? []].filter((n) => n[0]));
    const first = 1850 + below(200);
    const years = random() < 0.6 ? ([first, first + below(60)] as const) : undefined;
    const isConstant = years === undefined && random() < 0.3;
    const west = -180 + below(300);
    const south = -90 + below(120);
    const box =
      random() < 0.5
        ? ([west, west + 1 + below(60), south + 1 + below(60), south] as const)
        : undefined;
    const all = { model, variable, experiment, ensemble };
    const document = {
      ...all,
      ...{ project: ["CMIP6"], product: [index % 3 ? "CMIP" : "ScenarioMIP"], institute: ["X"] },
      ...(fs_type && { fs_type }),
      ...(format && { format }),
      ...(size !== undefined && { size }),
      ...(isRetracted && { retracted: true }),
      ...(isOwn && { user: "jane" }),
      ...(names.length > 0 && {
        standard_name: names.map(([standard]) => standard),
        long_name: names.map(([, long]) => long),
      }),
      ...(years && { time: `[${years[0]} TO ${years[1]}]` }),
      ...(isConstant && { time: "fx" }),
      ...(box && { bbox: `ENVELOPE(${box.join(",")})` }),
    };
    const values = {
      ...Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, lower(texts)])),
      fs_type: [(fs_type ?? "posix").toLowerCase()],
      format: [(format ?? "nc").toLowerCase()],
      product: [index % 3 ? "cmip" : "scenariomip"],
    };
    const odd = { values, isConstant, isOwn, isRetracted, ...(size !== undefined && { size }) };
    const rest = { ...(years && { years }), ...(box && { box }) };
    const name = `${pick(["d", "long-name-of-a-folder"])}${index % 7}`;
    const of = (version: string, isLatest: boolean): Odd => ({
      ...{ ...odd, ...rest, isLatest },
      document: { ...document, file: `/odd/${name}/${version}/${name}_${index}.nc` },
    });
    // What has a user is nobody's version.
    return random() < 0.15
      ? [of("v20180101", isOwn), of("v20200101", true)]
      : [of("v20200101", true)];
  }
}

/** One key of a search with its values, as it is written and as it is meant. */
export interface Condition {
  readonly key: string;
  readonly values: readonly string[];
  readonly holds: (odd: Odd) => boolean;
  /** Whether one value of it, included, holds; undefined where values are not looked at. */
  readonly has?: (odd: Odd, value: string) => boolean;
}

/** `*` and `?` as wildcards. */
const matches = (value: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .toLowerCase()
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "s",
  ).test(value);

/** @param field native; @param key as the flavour calls it */
export function facetCondition(
  field: string,
  key: string,
  values: readonly string[],
  isExcluded = false,
): Condition {
  const has = (odd: Odd, value: string) =>
    (odd.values[field] ?? []).some((one) => matches(one, value));
  const any = (odd: Odd) => values.some((value) => has(odd, value));
  return isExcluded
    ? { key: `${key}_not_`, values, holds: (odd) => !any(odd) }
    : { key, values, holds: any, has };
}

export const timeCondition = (from: number, to: number): Condition => ({
  ...{ key: "time", values: [`${from} to ${to}`] },
  holds: ({ years, isConstant }) =>
    isConstant || (years !== undefined && years[0] <= to && years[1] >= from),
});

/** A box that crosses no edge of the map; documents have none that do, but some that reach beyond 180 degrees. */
export const boxCondition = (
  west: number,
  east: number,
  south: number,
  north: number,
): Condition => ({
  ...{ key: "bbox", values: [`${west},${east},${south},${north}`] },
  holds: ({ box }) =>
    box !== undefined &&
    box[3] <= north &&
    box[2] >= south &&
    [-360, 0, 360].some((turn) => box[0] + turn <= east && box[1] + turn >= west),
});

/** The query text of conditions. */
export const queryOf = (conditions: readonly Condition[]): string =>
  new URLSearchParams(
    conditions.flatMap(({ key, values }) => values.map((value) => [key, value])),
  ).toString();
