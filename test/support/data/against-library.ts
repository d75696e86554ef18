/** Holds what is read of a file against what HDF5 and netCDF-C read of it (library_values.py). */
import { createHash } from "node:crypto";
import type { Attribute, Group, Variable } from "../../../src/files/netcdf/model.js";
import type { Hdf5Decoder } from "../../../src/files/netcdf/render/hdf5-decoder.js";
import { readValues } from "../../../src/files/netcdf/render/values.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../programs/python.js";

type Attributes = Readonly<Record<string, string | readonly (number | string)[]>>;

interface LibraryFile {
  readonly variables: Readonly<
    Record<string, { shape: readonly number[]; values: string | null; attributes: Attributes }>
  >;
  readonly groups: Readonly<Record<string, Attributes>>;
  /** Null if netCDF-C does not open the file. */
  readonly dimensions: Readonly<Record<string, readonly string[]>> | null;
}

/** The values that the libraries read from the files of a folder, by name; null for a file that they do not open. */
export async function libraryValues(folder: string): Promise<Record<string, LibraryFile | null>> {
  const script = packagePath("test", "support", "data", "library_values.py");
  return JSON.parse(await runPython([script, folder])) as Record<string, LibraryFile | null>;
}

export interface OurFile {
  readonly model: Group;
  /** The digest of a variable's values, or why they cannot be read, by path. */
  readonly values: ReadonlyMap<string, string | Error>;
}

const LIMITS = { time: 4000 };

/** All that a file has, with its documents. @throws if the file is refused */
export function readOurs(path: string, decoder: Hdf5Decoder | undefined): OurFile {
  indexFile(path, LIMITS);
  const source = Source.open(path, undefined, LIMITS);
  try {
    const model = source.readModel();
    const values = new Map<string, string | Error>();
    for (const [name, variable] of variablesOf(model)) {
      const box = { start: variable.storedShape.map(() => 0), shape: variable.storedShape };
      try {
        const tools = { table: source.chunkTable(variable), decoder };
        values.set(name, digestOf(variable, readValues(source, variable, box, tools)));
      } catch (error) {
        values.set(name, error as Error);
      }
    }
    return { model, values };
  } finally {
    source.close();
  }
}

const join = (group: Group, name: string): string =>
  group.path === "" ? name : `${group.path}/${name}`;

const groupsOf = (group: Group): Group[] => [group, ...group.groups.flatMap(groupsOf)];

const variablesOf = (root: Group): [string, Variable][] =>
  groupsOf(root).flatMap((group) =>
    group.variables.map((variable): [string, Variable] => [join(group, variable.name), variable]),
  );

function digestOf({ type }: Variable, bytes: Uint8Array): string {
  if (type.kind === "struct") return "";
  const hash = createHash("sha1");
  if (type.kind === "text") return hash.update(textsIn(bytes).join("\u0001")).digest("hex");
  const little = bytes.slice();
  const size = type.dtype[1] === "c" ? type.size / 2 : type.size;
  if (type.dtype.startsWith(">")) {
    for (let at = 0; at < little.length; at += size) little.subarray(at, at + size).reverse();
  }
  return hash.update(little).digest("hex");
}

/** Texts as numcodecs' vlen-utf8 encodes them, without padding. */
function textsIn(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const texts: string[] = [];
  for (let at = 4; at < bytes.length; ) {
    const length = view.getUint32(at, true);
    const text = Buffer.from(bytes.subarray(at + 4, at + 4 + length)).toString();
    texts.push(text.replace(/[\0 ]+$/, ""));
    at += 4 + length;
  }
  return texts;
}

/**
 * What is read otherwise than the libraries read it, without an error and without a name among what is left out.
 *
 * @param sound the file before it was damaged. netCDF-C names dimensions itself where it cannot read an index of attributes, which
 *   is not needed here: the names may be those of the sound file
 */
export function differences(ours: OurFile, library: LibraryFile, sound?: OurFile): string[] {
  const soundDimensions = new Map(
    (sound === undefined ? [] : variablesOf(sound.model)).map(([path, { dimensions }]) => [
      path,
      dimensions,
    ]),
  );
  const found: string[] = [];
  const variables = new Map(variablesOf(ours.model));
  const groups = new Map(groupsOf(ours.model).map((group) => [group.path, group]));
  const leftOut = new Set(
    groupsOf(ours.model).flatMap((group) => group.leftOut.map(({ name }) => join(group, name))),
  );
  const leftOutNames = new Set([...leftOut].map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const isLeftOut = (path: string): boolean =>
    path.split("/").some((_, i, names) => leftOut.has(names.slice(0, i + 1).join("/")));
  for (const [path, theirs] of Object.entries(library.variables)) {
    const variable = variables.get(path);
    const values = ours.values.get(path);
    if (values instanceof Error || isLeftOut(path)) continue;
    if (variable === undefined || values === undefined) {
      found.push(`${path} is missing`);
      continue;
    }
    if (String(variable.storedShape) !== String(theirs.shape)) {
      found.push(`${path} has the shape ${variable.storedShape}, not ${theirs.shape}`);
    } else if (theirs.values !== null && values !== "" && values !== theirs.values) {
      found.push(`${path} has other values`);
    }
    found.push(...otherAttributes(path, variable.attributes, theirs.attributes));
    const dimensions = library.dimensions?.[path];
    // The numbers of dimensions without names count the variables that are left out here, which name no dimension either.
    const hasNoName = (name: string): boolean =>
      /^phony_dim_\d+$/.test(name) || leftOutNames.has(name);
    const named = (names: readonly string[]): string =>
      String(leftOut.size > 0 ? names.map((name) => (hasNoName(name) ? "" : name)) : names);
    const own = named(variable.dimensions);
    const before = soundDimensions.get(path);
    if (
      dimensions !== undefined &&
      named(dimensions) !== own &&
      (before === undefined || named(before) !== own)
    ) {
      found.push(`${path} has the dimensions ${variable.dimensions}, not ${dimensions}`);
    }
  }
  for (const [path, attributes] of Object.entries(library.groups)) {
    const group = groups.get(path);
    if (group === undefined) {
      if (!isLeftOut(path)) found.push(`the group ${path} is missing`);
    } else if (!leftOut.has(join(group, "(attributes)"))) {
      found.push(...otherAttributes(path, group.attributes, attributes));
    }
  }
  return found;
}

function otherAttributes(path: string, ours: readonly Attribute[], theirs: Attributes): string[] {
  return Object.entries(theirs).flatMap(([name, wanted]) => {
    // An attribute that cannot be named is left out.
    if (name === "") return [];
    const value = ours.find((one) => one.name === name)?.value;
    const got =
      value?.kind === "numbers"
        ? value.values.map(Number)
        : value?.kind === "text"
          ? value.value.replace(/[\0 ]+$/, "")
          : undefined;
    const isSame =
      typeof wanted === "string" || typeof got === "string" || got === undefined
        ? got === wanted
        : got.length === wanted.length && got.every((one, i) => sameNumber(one, wanted[i] ?? 0));
    return isSame
      ? []
      : [`${path}: ${name} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`];
  });
}

const sameNumber = (got: number, wanted: number | string): boolean =>
  Object.is(got, Number(typeof wanted === "string" ? wanted.replace("inf", "Infinity") : wanted)) ||
  got === wanted;
