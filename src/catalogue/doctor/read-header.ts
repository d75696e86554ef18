/** What the header of a file says that can be held against the index and against its neighbours. Never reads data. */
import { type Calendar, calendarNamed } from "../../files/cf/calendar.js";
import { type Header, textOf, type Variable } from "../../files/cf/header.js";
import { isTimeName, rolesOf } from "../../files/cf/roles.js";
import { DamagedFile, NotReadableFormat, ReadingError } from "../../files/netcdf/errors.js";
import type { Datasets } from "../../files/zarr/datasets.js";
import { dateVersion } from "./entry.js";

export interface ReadHeader {
  /** Of its time; undefined where it has none, or one that is not known. */
  readonly calendar: Calendar | undefined;
  /** A dimension of its data that has the length 0. */
  readonly emptyDimension: string | undefined;
  /** A version that it states itself, as a date. */
  readonly version: { readonly attribute: string; readonly date: string } | undefined;
}

/** Why there is no header: the file is at fault, or what it lies on. */
export interface NoHeader {
  readonly isDamaged: boolean;
  /** A sentence. */
  readonly reason: string;
}

/** Attributes in which files state the version that they were published as. */
const VERSIONS = ["version", "version_id", "dataset_version", "drs_version"];

/** @throws what is no fault of the file or of its storage */
export async function readHeader(datasets: Datasets, file: string): Promise<ReadHeader | NoHeader> {
  try {
    return describe(await (await datasets.open(file)).header());
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    const isDamaged = error instanceof DamagedFile || error instanceof NotReadableFormat;
    return { isDamaged, reason: error.message };
  }
}

function describe(header: Header): ReadHeader {
  const { times, data } = rolesOf(header);
  const calendars = times.map((time) => calendarNamed(textOf(time, "calendar")));
  return {
    calendar: calendars[0],
    emptyDimension: emptyDimension([...times, ...data]),
    version: statedVersion(header),
  };
}

/** That of time where there are several. */
function emptyDimension(variables: readonly Variable[]): string | undefined {
  const empty = variables.flatMap(({ dimensions, shape }) =>
    dimensions.filter((_, i) => shape[i] === 0),
  );
  return empty.find(isTimeName) ?? empty[0];
}

function statedVersion(header: Header): ReadHeader["version"] {
  for (const attribute of VERSIONS) {
    const date = dateVersion(textOf(header, attribute));
    if (date !== undefined) return { attribute, date };
  }
  return undefined;
}
