/** A file that was found -> its document of the index, by its path, its header and what the file system says. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type Description, describe } from "../cf/describe.js";
import type { Header } from "../cf/header.js";
import { levelType } from "../cf/level-type.js";
import { rolesOf } from "../cf/roles.js";
import { timeAggregation } from "../cf/time-aggregation.js";
import { attributesOf, type HeaderFacts, values } from "../drs/attributes.js";
import { recognisedStandard, shippedStandards } from "../drs/index.js";
import type { PathFacts, Standard } from "../drs/standard.js";
import { ReadingError } from "../netcdf/errors.js";
import { CONSTANT } from "../vocabulary/period.js";
import { envelope } from "../vocabulary/region.js";
import { coordinateValues } from "../zarr/coordinate-values.js";
import type { Datasets } from "../zarr/datasets.js";
import { contradictions, sameValue } from "./contradictions.js";
import { periodNote } from "./period-note.js";

/** A file of data or a zarr store, as the file system shows it. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: "file" | "zarr";
  /** Bytes; of a store the sum of its files. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly inode: string;
  /** Kind of storage; else the standard's rules tell it, or it is posix. */
  readonly fs_type?: string;
}

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
const ARCHIVES = new Set(["hsm", "tape"]);

/**
 * The path tells where a file is filed, its header what it is; where both tell the same facet the header holds, and
 * the contradiction is noted.
 */
export async function describeFile(
  file: FoundFile,
  context: DescribeContext,
): Promise<FileDescription> {
  const { path } = file;
  if (context.standard !== undefined) {
    const read = context.standard.read(path);
    // Before the file is opened: most of what does not belong there is told by its name.
    if ("reason" in read) return read;
  }
  const fsType = file.fs_type ?? context.standard?.storage(path) ?? "posix";
  const datasets = ARCHIVES.has(fsType) ? undefined : context.datasets;
  try {
    const opened = datasets && (await readHeader(datasets, path));
    const notes: string[] = [];
    const facets = facetsOf(path, opened, context, notes);
    const document = {
      ...facets,
      fs_type: context.facets.fs_type ?? fsType,
      format: context.facets.format ?? formatOf(file),
      ...(context.collection !== undefined && { dataset: context.collection }),
      file_name: basename(path),
      file: path,
      uri: pathToFileURL(path).href,
      size: file.size,
      modified: new Date(file.modified).toISOString(),
      inode: file.inode,
      ...(await checksumOf(file, context, notes)),
    };
    return { document, notes };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { reason: error.message };
  }
}

interface Opened {
  readonly header: Header;
  readonly told: Description;
}

async function readHeader(datasets: Datasets, path: string): Promise<Opened> {
  const dataset = await datasets.open(path);
  const header = await dataset.header();
  return { header, told: await describe(header, coordinateValues(datasets, dataset)) };
}

type Fields = Record<string, string | readonly string[]>;

/** All that path, header and hand say; what contradicts is noted. */
function facetsOf(
  path: string,
  opened: Opened | undefined,
  { standard, facets: given }: DescribeContext,
  notes: string[],
): Fields {
  const known = standard ?? (opened && recognisedStandard(opened.header));
  const fromPath = known && readPath(known, path);
  notes.push(...(fromPath?.notes ?? []));
  const standards = known === undefined ? [...shippedStandards().values()] : [known];
  const facts = opened && attributesOf(opened.header, standards);
  notes.push(...(facts?.notes ?? []));
  const filed: Fields = {
    ...(known && Object.fromEntries(known.definition.facets)),
    ...fromPath?.facets,
  };
  const said: Fields = { ...(opened && ofHeader(opened)), ...facts?.facets };
  notes.push(...contradictions("the path", filed, "the header", said));
  const fields = merged(filed, said, facts, known, opened, fromPath, notes);
  notes.push(...contradictions("--facet", given, "the file", fields));
  const version = versionOf(fromPath, facts, notes);
  return {
    ...facts?.details,
    ...(version !== undefined && { version }),
    ...fields,
    ...given,
  };
}

function readPath(standard: Standard, path: string): PathFacts | undefined {
  const read = standard.read(path);
  return "reason" in read ? undefined : read;
}

/** What the variables say that no attribute of the file does. */
function ofHeader({ header, told }: Opened): Fields {
  const { data } = rolesOf(header);
  const [first] = data;
  const methods = new Set(data.flatMap((variable) => timeAggregation(variable) ?? []));
  const levels = new Set(data.map((variable) => levelType(header, variable)));
  const [method] = methods;
  const [level] = levels;
  return {
    ...("value" in told.variable && { variable: told.variable.value }),
    // Of files that mix them nothing is said.
    ...(methods.size === 1 && method !== undefined && { time_aggregation: method }),
    ...(first !== undefined && levels.size === 1 && level !== undefined && { level_type: level }),
  };
}

function merged(
  filed: Fields,
  said: Fields,
  facts: HeaderFacts | undefined,
  standard: Standard | undefined,
  opened: Opened | undefined,
  fromPath: PathFacts | undefined,
  notes: string[],
): Fields {
  const fields: Fields = { ...facts?.hints, ...filed };
  for (const [facet, value] of Object.entries(said)) {
    const before = filed[facet];
    // The path spells names as the vocabularies of the standards do.
    if (before === undefined || !sameValue(before, value)) fields[facet] = value;
  }
  if (opened !== undefined) {
    const { time_frequency: frequency, bbox } = opened.told;
    // How far apart the times are is known less well than what attribute or path say.
    if ("value" in frequency) fields.time_frequency ??= frequency.value;
    if (bbox !== undefined) fields.bbox = envelope(bbox);
  }
  for (const [facet, { from, values: table }] of standard?.definition.derived ?? []) {
    const of = fields[from];
    const value = typeof of === "string" ? table.get(of) : undefined;
    if (value !== undefined) fields[facet] ??= value;
  }
  const lookup = (name: string): string | undefined => [fields[name] ?? []].flat()[0];
  if (standard !== undefined) {
    for (const [facet, value] of Object.entries(values(standard.definition.defaults, lookup))) {
      if (value !== undefined) fields[facet] ??= value;
    }
  }
  const time = timeOf(opened, fromPath, fields, notes);
  if (time !== undefined) fields.time = time;
  return fields;
}

function timeOf(
  opened: Opened | undefined,
  fromPath: PathFacts | undefined,
  fields: Fields,
  notes: string[],
): string | undefined {
  const named = fromPath?.time;
  const frequency = [fields.time_frequency ?? []].flat()[0] ?? "";
  const isConstant = frequency.startsWith(CONSTANT);
  if (opened === undefined) return named ?? (isConstant ? CONSTANT : undefined);
  const { time } = opened.told;
  if ("reason" in time) {
    notes.push(
      `time: the header ${time.reason}${named === undefined ? "" : "; taken from the file name"}`,
    );
    return named ?? (isConstant ? CONSTANT : undefined);
  }
  const note = named === undefined ? undefined : periodNote(named, time.value, frequency);
  if (note !== undefined) notes.push(note);
  return time.value;
}

/** The path says under which version a file is filed. */
function versionOf(
  fromPath: PathFacts | undefined,
  facts: HeaderFacts | undefined,
  notes: string[],
): string | undefined {
  const filed = fromPath?.version;
  const stated = facts?.version;
  if (filed !== undefined && stated !== undefined && filed !== stated) {
    notes.push(`version: the path says ${filed}, the header ${stated}`);
  }
  return filed ?? stated;
}

function formatOf({ path, kind }: FoundFile): string {
  if (kind === "zarr") return "zarr";
  return /\.gri?b2?$/i.test(path) ? "grb" : "nc";
}

/** The checksum, where it was asked for: of as many bytes as the file had when it was found. */
async function checksumOf(
  { path, kind, size }: FoundFile,
  { checksum }: DescribeContext,
  notes: string[],
): Promise<{ readonly checksum?: string }> {
  if (!checksum) return {};
  if (kind === "zarr") {
    notes.push("checksum: a store of many files has none");
    return {};
  }
  try {
    const hash = createHash("sha256");
    let read = 0;
    if (size > 0) {
      for await (const piece of createReadStream(path, { end: size - 1 })) {
        read += (piece as Buffer).length;
        hash.update(piece as Buffer);
      }
    }
    if (read === size) return { checksum: `sha256:${hash.digest("hex")}` };
    notes.push("checksum: left out, as the file became shorter while it was read");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    notes.push(`checksum: the file cannot be read (${code ?? message})`);
  }
  return {};
}
