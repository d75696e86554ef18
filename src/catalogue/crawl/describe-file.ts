/** A file that was found -> its document of the index, by its path, its header and what the file system says. */
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { envelope } from "../../domain/extent/region.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import type { Datasets } from "../../files/zarr/datasets.js";
import type { Standard } from "../drs/standard.js";
import { checksumOf } from "./checksum.js";
import { fileFacts, openHeader } from "./file-facts.js";
import { type FoundFile, isGrib } from "./found-file.js";

export interface DescribeContext {
  /** Whose paths these are; where left out, headers alone tell, and a path that is one of their standard. */
  readonly standard: Standard | undefined;
  /** Reads headers; undefined where no file may be opened, as in an archive on tape. */
  readonly datasets: Datasets | undefined;
  /** Facets given by hand, by native name: they win over all else. */
  readonly facets: Readonly<Record<string, string>>;
  /** Whether to read the whole file for its checksum. */
  readonly checksum: boolean;
  /** The facet `dataset`. */
  readonly collection?: string;
}

export type FieldValue = string | number | readonly string[];

export interface DescribedFile {
  readonly document: Readonly<Record<string, FieldValue>> & {
    readonly file: string;
  };
  /** What path and header contradict, and what could not be told, one line each. */
  readonly notes: readonly string[];
}

/** A document, or why there is none: a predicate of the file. */
export type FileDescription = DescribedFile | { readonly reason: string };

/** Storage from which a file would be called back by reading it. */
export const ARCHIVES: ReadonlySet<string> = new Set(["hsm", "tape"]);

/**
 * Describes one file. Only its header and its coordinates are read, and of an archive nothing at all; the whole file is
 * read for a checksum alone.
 */
export async function describeFile(
  file: FoundFile,
  context: DescribeContext,
): Promise<FileDescription> {
  const { path } = file;
  const { standard, facets: given } = context;
  if (standard !== undefined) {
    const read = standard.read(path);
    // Before the file is opened: most of what does not belong there is told by its name.
    if ("reason" in read) return read;
  }
  const fsType = given.fs_type ?? file.fs_type ?? standard?.storage(path) ?? "posix";
  const datasets = ARCHIVES.has(fsType) || isGrib(path) ? undefined : context.datasets;
  try {
    const opened = datasets && (await openHeader(datasets, path));
    const { fields, notes } = fileFacts(path, standard, opened, given);
    const { bbox, ...others } = fields;
    const checksum = context.checksum && datasets ? await checksumOf(file) : undefined;
    const document = {
      fs_type: fsType,
      format: formatOf(file),
      ...(context.collection !== undefined && { dataset: context.collection }),
      ...others,
      ...(typeof bbox === "string" && { bbox: envelope(bbox) }),
      file_name: basename(path),
      file: path,
      uri: pathToFileURL(path).href,
      size: file.size,
      ...timeOfChange(file.modified),
      inode: file.inode,
      ...(checksum && "value" in checksum && { checksum: checksum.value }),
    };
    return {
      document,
      notes: checksum && "reason" in checksum ? [...notes, checksum.reason] : notes,
    };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { reason: error.message };
  }
}

/** Nothing where a file system has a time beyond all dates. */
export function timeOfChange(milliseconds: number): { readonly modified?: string } {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? {} : { modified: date.toISOString() };
}

function formatOf({ path, kind }: FoundFile): string {
  if (kind === "zarr") return "zarr";
  return isGrib(path) ? "grb" : "nc";
}
