/** A dataset in words: what its facets say. */
import { STREAMED } from "../../../src/domain/vocabulary/data-formats.js";
import { longName } from "../search/long-names.js";
import type { FirstNames } from "../service/facet-names.js";
import type { Dataset } from "./datasets.js";

interface DatasetNames {
  /** Codes as written; "" if the files differ or do not say. */
  readonly variable: string;
  readonly model: string;
  readonly experiment: string;
  readonly member: string;
  /** The name of the frequency, for example "Monthly"; its code if it has no name. */
  readonly frequency: string;
  /** The variable's name for people; "" if unknown. */
  readonly variableName: string;
}

export function namesOf({ facets }: Pick<Dataset, "facets">, first: FirstNames): DatasetNames {
  const of = (native: keyof FirstNames): string => facets[first[native]] ?? "";
  const frequency = of("time_frequency");
  const variable = of("variable");
  return {
    variable,
    model: of("model"),
    experiment: of("experiment"),
    member: of("ensemble"),
    frequency: longName("time_frequency", frequency) ?? frequency,
    variableName: longName("variable", variable) ?? "",
  };
}

/** Kinds of storage whose files the service does not open: reading them would recall a tape. */
export const farStorage = ({ storage }: Pick<Dataset, "storage">): readonly string[] =>
  storage.map(({ fs_type }) => fs_type).filter((type) => type.toLowerCase() !== "posix");

/** Whether the service can read a file of the dataset, on a disk and in a format that it streams. */
export const canLook = ({ storage, formats, example }: Dataset): boolean =>
  example?.readable === true &&
  (storage.length === 0 || storage.some(({ fs_type }) => fs_type.toLowerCase() === "posix")) &&
  (formats.length === 0 || formats.some(({ format }) => STREAMED.has(format.toLowerCase())));
