/** Resolves messages that several objects share (specification, sections III.I and IV.A.2). */

import { DamagedFile } from "../errors.js";
import { Cursor } from "../source/cursor.js";
import { type Hdf5File, UNDEFINED, verify } from "./file.js";
import { findMessage, MESSAGE, messageCursor, type ObjectHeader } from "./header-message.js";
import { openFractalHeap } from "./structures/fractal-heap.js";

/** A committed datatype may refer to another one; deeper nesting is a loop. */
const MAX_DEPTH = 8;

/** Reads the header at an address. `depth` counts nested shared messages. */
type ReadHeader = (file: Hdf5File, address: number, depth: number) => ObjectHeader;

/**
 * The content of a message flagged as shared.
 *
 * @param data the message in the header, which locates the content
 * @throws DamagedFile
 */
export function sharedMessage(
  file: Hdf5File,
  type: number,
  data: Uint8Array,
  depth: number,
  read: ReadHeader,
): Uint8Array {
  if (depth > MAX_DEPTH) throw new DamagedFile("Shared messages of the file refer to each other.");
  const cursor = new Cursor(data);
  const version = cursor.u8();
  const where = cursor.u8();
  if (version === 3 && where === 1) return inSharedHeap(file, type, cursor.take8(8), depth, read);
  // Version 1 also has an offset in a heap, of the size of lengths (H5Oshared.c).
  if (version === 1) cursor.skip(6 + file.lengthSize);
  if (version < 1 || version > 3) throw new DamagedFile("A shared message has no known version.");
  const header = read(file, file.address(cursor), depth + 1);
  const message = findMessage(header, type);
  if (message === undefined) throw new DamagedFile("A shared message of the file is not there.");
  return message.data;
}

/** The table of shared messages (III.I) lists a fractal heap for each set of message types. */
function inSharedHeap(
  file: Hdf5File,
  type: number,
  id: Uint8Array,
  depth: number,
  read: ReadHeader,
): Uint8Array {
  if (file.extension === UNDEFINED) throw new DamagedFile("The file shares messages it has not.");
  const extension = read(file, file.extension, depth + 1);
  const found = findMessage(extension, MESSAGE.sharedTable);
  if (found === undefined) throw new DamagedFile("The file has no table of shared messages.");
  const message = messageCursor(found);
  message.skip(1);
  const address = file.address(message);
  const count = message.u8();
  const table = file.cursor(address, 8 + count * (14 + 2 * file.offsetSize));
  table.signature("SMTB");
  verify(table.bytes);
  for (let i = 0; i < count; i++) {
    table.skip(2);
    const types = table.u16();
    table.skip(4 + 2 + 2 + 2);
    file.address(table);
    const heap = file.address(table);
    if ((types & (1 << type)) !== 0 && heap !== UNDEFINED) {
      return openFractalHeap(file, heap).get(id);
    }
  }
  throw new DamagedFile("A shared message of the file is not there.");
}
