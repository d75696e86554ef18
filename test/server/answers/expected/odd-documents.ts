/** Documents that are odd in every way that changes what is counted. */
import { type Known, known } from "../../../support/data/known-documents.js";
import type { TestDocument } from "../../../support/service/service.js";

/** A document as it is loaded, and what a search compares of it. */
export interface Odd {
  readonly document: TestDocument;
  readonly known: Known;
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
    const document = {
      model,
      variable,
      experiment,
      ensemble,
      project: ["CMIP6"],
      product: [index % 3 ? "CMIP" : "ScenarioMIP"],
      institute: ["X"],
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
    const name = `${pick(["d", "long-name-of-a-folder"])}${index % 7}`;
    const of = (version: string, isNewest: boolean): Odd => {
      const whole = { ...document, file: `/odd/${name}/${version}/${name}_${index}.nc` };
      return { document: whole, known: known(whole, isNewest) };
    };
    // What has a user is nobody's version.
    return random() < 0.15
      ? [of("v20180101", isOwn), of("v20200101", true)]
      : [of("v20200101", true)];
  }
}
