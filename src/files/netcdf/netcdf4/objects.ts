/** Walks the groups and datasets of an HDF5 file. */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import { type Attribute, readAttributes } from "../hdf5/attributes.js";
import { type Datatype, readDatatype } from "../hdf5/datatype.js";
import type { Hdf5File } from "../hdf5/file.js";
import { findMessage, MESSAGE, messageCursor, type ObjectHeader } from "../hdf5/header-message.js";
import { isGroup, type Link, readLinks, symbolTableOf } from "../hdf5/links.js";
import { type Dataspace, readDataspace } from "../hdf5/messages.js";
import { readObjectHeader } from "../hdf5/object-header.js";
import type { LeftOut } from "../model.js";
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

/** Maximum objects of a file. */
const MAX_OBJECTS = 200_000;
const MAX_DEPTH = 64;

export function readObjects(file: Hdf5File): ObjectGroup {
  const ancestors = new Set<number>();
  const links = new LinkCount();
  let count = 0;
  const readGroup = (path: string, header: ObjectHeader): ObjectGroup => {
    if (ancestors.size > MAX_DEPTH) throw new DamagedFile("The file's groups are nested too deep.");
    ancestors.add(header.address);
    const datasets: Dataset[] = [];
    const leftOut: LeftOut[] = [];
    const children: { readonly path: string; readonly header: ObjectHeader }[] = [];
    for (const link of readLinks(file, header)) {
      file.reader.tick();
      count += 1;
      if (count > MAX_OBJECTS) throw new DamagedFile("The file has too many objects.");
      const target = linkTarget(file, link, header);
      if (typeof link.target === "number" && target !== undefined) {
        checkObject(file, target, link.table);
        links.add(header, link, target);
      }
      if (target === undefined) {
        leftOut.push({ name: link.name, reason: "a link that leads to nothing that is read" });
      }
      // A link back to a group above would be a loop.
      if (target === undefined || ancestors.has(target.address)) continue;
      if (isGroup(target)) {
        // A group elsewhere in the tree is listed at its own place, not where a soft link points to it.
        const isOwn = typeof link.target === "number";
        if (isOwn) children.push({ path: joinPath(path, link.name), header: target });
      } else if (findMessage(target, MESSAGE.dataspace) !== undefined) {
        const dataset = readDataset(file, link.name, target);
        if (typeof dataset === "string") leftOut.push({ name: link.name, reason: dataset });
        else datasets.push(dataset);
      }
    }
    const groups = children.map((child) => readGroup(child.path, child.header));
    ancestors.delete(header.address);
    return { path, attributes: readAttributes(file, header), datasets, groups, leftOut };
  };
  const root = readObjectHeader(file, file.root);
  checkObject(file, root, file.rootTable);
  if (!isGroup(root)) throw new DamagedFile("The root of the file is no group.");
  return readGroup("", root);
}

/** Counts the links to each object, and compares them with the object's own count. */
class LinkCount {
  readonly #links = new Map<number, Set<string>>();

  /** @throws DamagedFile if more links lead to an object than it counts: some were meant for others */
  add(from: ObjectHeader, { name }: Link, to: ObjectHeader): void {
    const links = this.#links.get(to.address) ?? new Set();
    this.#links.set(to.address, links.add(`${from.address}/${name}`));
    if (to.references > 0 && links.size > to.references) {
      throw new DamagedFile("More links lead to an object of the file than it has.");
    }
  }
}

/**
 * Checks that an object is a group, a dataset or a named type. Otherwise it has lost a part.
 *
 * @param table the copy of a group's symbol table in the link to it
 */
function checkObject(file: Hdf5File, header: ObjectHeader, table: Link["table"]): void {
  const has = (type: number): boolean => findMessage(header, type) !== undefined;
  const isNewGroup = has(MESSAGE.linkInfo);
  const symbols = findMessage(header, MESSAGE.symbolTable);
  const parts = [MESSAGE.dataspace, MESSAGE.layout].filter(has).length;
  const isGroup = isNewGroup || symbols !== undefined;
  const isKnown = isGroup
    ? parts === 0 && !has(MESSAGE.datatype) && !(isNewGroup && symbols !== undefined)
    : has(MESSAGE.datatype) && parts !== 1 && !has(MESSAGE.link);
  if (!isKnown) throw new DamagedFile("An object of the file has not all its parts.");
  if (table === undefined) return;
  // A copy is left behind if a group is converted to the new style.
  const own = symbols === undefined ? table : symbolTableOf(file, symbols);
  if (!isGroup || own.tree !== table.tree || own.heap !== table.heap) {
    throw new DamagedFile("A group of the file is not where the file says.");
  }
}

function linkTarget(file: Hdf5File, link: Link, from: ObjectHeader): ObjectHeader | undefined {
  if (typeof link.target === "number") return readObjectHeader(file, link.target);
  if (link.target === undefined) return undefined;
  let header = link.target.startsWith("/") ? readObjectHeader(file, file.root) : from;
  for (const name of link.target.split("/")) {
    if (name === "" || name === ".") continue;
    const next = isGroup(header)
      ? readLinks(file, header).find((other) => other.name === name)
      : undefined;
    if (typeof next?.target !== "number") return undefined;
    header = readObjectHeader(file, next.target);
  }
  return header;
}

/** @returns the reason for a dataset of an unsupported type, which netCDF-C skips */
function readDataset(file: Hdf5File, name: string, header: ObjectHeader): Dataset | string {
  const typeMessage = findMessage(header, MESSAGE.datatype);
  const spaceMessage = findMessage(header, MESSAGE.dataspace);
  if (typeMessage === undefined || spaceMessage === undefined) {
    throw new DamagedFile("An object of the file has not all its parts.");
  }
  try {
    const type = readDatatype(messageCursor(typeMessage));
    const space = readDataspace(file, messageCursor(spaceMessage));
    return { name, header, space, type, attributes: readAttributes(file, header) };
  } catch (error) {
    if (error instanceof NotReadableFormat) return error.message;
    throw error;
  }
}
