/** Builds the index document of a file from its path, its header and its file status. */
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { envelope } from "../../../domain/extent/region.js";
import { ReadingError } from "../../../files/netcdf/errors.js";
import type { Datasets } from "../../../files/zarr/dataset/datasets.js";
import type { Standard } from "../../drs/standard.js";
import type { FileSystem } from "../tree/file-system.js";
import { type FoundFile, isGrib } from "../tree/found-file.js";
import { type BytePace, checksumOf } from "./checksum.js";
import { fileFacts, openHeader } from "./file-facts.js";

export interface DescribeContext {
  /** The standard of the paths. If undefined, the header names it, and the path is used if it fits. */
  readonly standard: Standard | undefined;
  /** Reads headers; undefined if no file may be opened, as in a tape archive. */
  readonly datasets: Datasets | undefined;
  /** Facets given on the command line, by native name. They override all others. */
  readonly facets: Readonly<Record<string, string>>;
  /** Reads the whole file for its checksum. */
  readonly checksum: FileSystem | false;
  /** Limits the reading for checksums. */
  readonly pace?: BytePace;
  /** The facet `dataset`. */
  readonly collection?: string;
}

type FieldValue = string | number | readonly string[];

interface DescribedFile {
  readonly document: Readonly<Record<string, FieldValue>> & {
    readonly file: string;
  };
  /** Contradictions between path and header, and facts that could not be found, one line each. */
  readonly notes: readonly string[];
}

/** A document, or the reason why there is none, as a predicate of the file. */
export type FileDescription = DescribedFile | { readonly reason: string };

/** Storage that recalls a file from tape when it is read. */
export const ARCHIVES: ReadonlySet<string> = new Set(["hsm", "tape"]);

/**
 * Describes one file. Reads only its header and coordinates, and nothing from archives. Only a checksum reads the whole
 * file.
 */
export async function describeFile(
  file: FoundFile,
  context: DescribeContext,
): Promise<FileDescription> {
  const { path } = file;
  const { standard, facets: given } = context;
  if (standard !== undefined) {
    const read = standard.read(path);
    // Before opening the file: the name already excludes most files that do not belong here.
    if ("reason" in read) return read;
  }
  const fsType = given.fs_type ?? file.fs_type ?? standard?.storage(path) ?? "posix";
  const readable = ARCHIVES.has(fsType) ? undefined : context.datasets;
  const datasets = isGrib(path) ? undefined : readable;
  try {
    const opened = datasets && (await openHeader(datasets, path));
    const { fields, notes } = fileFacts(path, standard, opened, given);
    const { bbox, ...others } = fields;
    const checksum =
      context.checksum && readable
        ? await checksumOf(file, context.checksum, context.pace)
        : undefined;
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

/** Empty if the time is outside the range of dates. */
export function timeOfChange(milliseconds: number): { readonly modified?: string } {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? {} : { modified: date.toISOString() };
}

function formatOf({ path, kind }: FoundFile): string {
  if (kind === "zarr") return "zarr";
  return isGrib(path) ? "grb" : "nc";
}
