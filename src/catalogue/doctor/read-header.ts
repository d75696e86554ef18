/** Reads from a header what can be compared with the index and with neighbouring files. Never reads data. */
import { type Calendar, calendarNamed } from "../../files/cf/calendar.js";
import { type Header, textOf, type Variable } from "../../files/cf/header.js";
import { isTimeName, rolesOf } from "../../files/cf/roles.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import type { Datasets } from "../../files/zarr/dataset/datasets.js";
import { brokenParts } from "../../files/zarr/metadata/header.js";
import { pathContradictions } from "../crawl/describe/file-facts.js";
import { dateVersion } from "./entry.js";

export interface ReadHeader {
  /** Calendar of the time axis; undefined if it is missing or unknown. */
  readonly calendar: Calendar | undefined;
  /** A dimension of the data with length 0. */
  readonly emptyDimension: string | undefined;
  /** A version stated in the header, as a date. */
  readonly version: { readonly attribute: string; readonly date: string } | undefined;
  /** Facets on which it differs from the path, one line each. */
  readonly contradictions: readonly string[];
}

/** Why there is no header: a fault of the file or of its storage. */
export interface NoHeader {
  readonly isDamaged: boolean;
  /** A sentence. */
  readonly reason: string;
}

/** Attributes that state the published version of a file. */
const VERSIONS = ["version", "version_id", "dataset_version", "drs_version"];

/** Kinds of ReadingError that are the fault of the file. */
const DAMAGED = new Set(["damaged-file", "not-readable-format"]);

/** @throws errors that are no fault of the file or of its storage */
export async function readHeader(datasets: Datasets, file: string): Promise<ReadHeader | NoHeader> {
  try {
    const dataset = await datasets.open(file);
    const header = await dataset.header();
    const [broken] = brokenParts(header);
    return broken === undefined ? describe(file, header) : { isDamaged: true, reason: broken };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { isDamaged: DAMAGED.has(error.kind), reason: error.message };
  }
}

function describe(file: string, header: Header): ReadHeader {
  const { times, data } = rolesOf(header);
  const calendars = times.map((time) => calendarNamed(textOf(time, "calendar")));
  return {
    calendar: calendars[0],
    emptyDimension: emptyDimension([...times, ...data]),
    version: statedVersion(header),
    contradictions: pathContradictions(file, header),
  };
}

/** The time dimension if it is among several empty ones. */
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
