/** Walks the groups and datasets of an HDF5 file. */

import { DamagedFile, NotReadableFormat, TooLarge } from "../errors.js";
import { type Attribute, readAttributes } from "../hdf5/attributes.js";
import { type Datatype, readDatatype } from "../hdf5/datatype.js";
import type { Hdf5File } from "../hdf5/file.js";
import { findMessage, MESSAGE, type ObjectHeader } from "../hdf5/header-message.js";
import { isGroup, type Link, readLinks } from "../hdf5/links.js";
import { type Dataspace, readDataspace } from "../hdf5/messages.js";
import { readObjectHeader } from "../hdf5/object-header.js";
import { type LeftOut, leavingOut } from "../model.js";
import { joinPath } from "../paths.js";

export interface Dataset {
  readonly name: string;
  readonly header: ObjectHeader;
  readonly space: Dataspace;
  readonly type: Datatype;
  readonly attributes: readonly Attribute[];
}

export interface ObjectGroup {
  readonly path: string;
  readonly attributes: readonly Attribute[];
  /** In netCDF-C's order. */
  readonly datasets: readonly Dataset[];
  readonly groups: readonly ObjectGroup[];
  readonly leftOut: readonly LeftOut[];
}

/** The name under which the attributes of a group are left out. */
export const ATTRIBUTES = "(attributes)";
const MAX_OBJECTS = 200_000;
const MAX_DEPTH = 64;

/** The tree of objects. All but the root are left out if they cannot be read. */
export function readObjects(file: Hdf5File): ObjectGroup {
  const ancestors = new Set<number>();
  let count = 0;
  const readGroup = (path: string, header: ObjectHeader): ObjectGroup => {
    if (ancestors.size > MAX_DEPTH) throw new DamagedFile("The file's groups are nested too deep.");
    const links = readLinks(file, header);
    ancestors.add(header.address);
    const datasets: Dataset[] = [];
    const leftOut: LeftOut[] = [];
    const children: { readonly name: string; readonly header: ObjectHeader }[] = [];
    for (const link of links) {
      file.reader.tick();
      count += 1;
      if (count > MAX_OBJECTS) throw new TooLarge("The file has too many objects.");
      const found = leavingOut(leftOut, link.name, () => readMember(file, link, header));
      // A link back to a group above would be a loop. A group elsewhere in the tree is listed at its own place, not
      // where a soft link points to it.
      if (found === undefined || ancestors.has(found.header.address)) continue;
      if ("space" in found) datasets.push(found);
      else if (typeof link.target === "number") children.push({ ...found, name: link.name });
    }
    const attributes = leavingOut(leftOut, ATTRIBUTES, () => readAttributes(file, header)) ?? [];
    const groups = children.flatMap((child) => {
      const below = joinPath(path, child.name);
      return leavingOut(leftOut, child.name, () => readGroup(below, child.header)) ?? [];
    });
    ancestors.delete(header.address);
    return { path, attributes, datasets, groups, leftOut };
  };
  const root = readObjectHeader(file, file.root);
  if (!isGroup(root)) throw new DamagedFile("The root of the file is no group.");
  return readGroup("", root);
}

/** The dataset, or the header of the group, that a link leads to; undefined for a named type. */
function readMember(
  file: Hdf5File,
  link: Link,
  from: ObjectHeader,
): Dataset | { readonly header: ObjectHeader } | undefined {
  const target = linkTarget(file, link, from);
  if (target === undefined)
    throw new NotReadableFormat("a link that leads to nothing that is read");
  if (isGroup(target)) return { header: target };
  const [type, space, layout] = [MESSAGE.datatype, MESSAGE.dataspace, MESSAGE.layout].map((each) =>
    findMessage(target, each),
  );
  if (type !== undefined && space !== undefined) {
    return {
      name: link.name,
      header: target,
      space: readDataspace(file, space),
      type: readDatatype(type, file),
      attributes: readAttributes(file, target),
    };
  }
  if (type !== undefined && layout === undefined) return undefined;
  throw new DamagedFile(
    "It is neither a group nor a dataset nor a type: it has not all its parts.",
  );
}

/**
 * The header that a link leads to; undefined if it leads to another file, or to nothing. Soft links may lead over others.
 *
 * @param from the group of the link, where a path without "/" before it begins
 * @param left soft links that may still be followed; HDF5 follows as many (H5L_NUM_LINKS)
 */
function linkTarget(
  file: Hdf5File,
  { target }: Link,
  from: ObjectHeader,
  left = 16,
): ObjectHeader | undefined {
  if (typeof target === "number") return readObjectHeader(file, target);
  if (target === undefined || left === 0) return undefined;
  let header: ObjectHeader | undefined = target.startsWith("/")
    ? readObjectHeader(file, file.root)
    : from;
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (header === undefined || !isGroup(header)) return undefined;
    const next: Link | undefined = readLinks(file, header).find((one) => one.name === name);
    header = next && linkTarget(file, next, header, left - 1);
  }
  return header;
}
