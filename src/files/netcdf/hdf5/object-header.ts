/** Reads object headers and their messages, also those that several objects share (specification, sections IV.A and III.I). */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import { Cursor } from "../source/cursor.js";
import { type Hdf5File, readSuperblock, UNDEFINED, verify } from "./file.js";
import { findMessage, MESSAGE, type Message, type ObjectHeader } from "./header-message.js";
import { FractalHeap } from "./structures/fractal-heap.js";

/** Maximum blocks, and messages, of an object. */
const MAX_BLOCKS = 10_000;
const MAX_MESSAGES = 200_000;
/** A committed datatype may refer to another one; deeper nesting is a loop. */
const MAX_DEPTH = 8;
const SHARED = 0x02;

export function openHdf5(reader: FileReader, at: number): Hdf5File {
  const file = readSuperblock(reader, at);
  if (file.extension === UNDEFINED) return file;
  const header = readObjectHeader(file, file.extension);
  if (findMessage(header, MESSAGE.cacheImage) !== undefined) {
    throw new NotReadableFormat("An image of HDF5's metadata cache is not read.");
  }
  const cursor = findMessage(header, MESSAGE.bTreeRanks);
  if (cursor === undefined) return file;
  // Section IV.A.2.t.
  cursor.skip(1);
  const [chunkTree, groupTree, symbolNode] = [cursor.u16(), cursor.u16(), cursor.u16()];
  file.ranks = { chunkTree, groupTree, symbolNode };
  return file;
}

/**
 * The header at an address, with continuations and shared messages resolved.
 *
 * @param depth of nested shared messages
 */
export function readObjectHeader(file: Hdf5File, address: number, depth = 0): ObjectHeader {
  const start = file.cursorUpTo(address, 16);
  const isNew = start.bytes[0] === 0x4f && start.bytes[1] === 0x48; // "OH" of "OHDR"
  return isNew ? readVersion2(file, address, depth) : readVersion1(file, address, depth);
}

/** The messages of a header, and the blocks that continue it. */
class HeaderMessages {
  readonly messages: Message[] = [];
  /** Length of each further block, by its address, in the order in which they are read. */
  readonly #blocks = new Map<number, number>();

  constructor(
    readonly file: Hdf5File,
    readonly depth: number,
  ) {}

  /** The first block, then those of continuation messages, which may be added meanwhile. */
  *blocks(first: Cursor): Generator<Cursor> {
    yield first;
    for (const [address, length] of this.#blocks) yield this.file.cursor(address, length);
  }

  /** Claims the bytes of a header that was read to its end. */
  finish(address: number, length: number): ObjectHeader {
    this.file.space.claim(address, length);
    for (const [at, bytes] of this.#blocks) this.file.space.claim(at, bytes, address);
    return { address, messages: this.messages };
  }

  take(type: number, flags: number, data: Uint8Array, creationOrder: number): void {
    this.file.reader.tick();
    if (type === MESSAGE.continuation) {
      const cursor = new Cursor(data);
      const address = this.file.defined(this.file.address(cursor));
      if (this.#blocks.has(address) || this.#blocks.size >= MAX_BLOCKS) {
        throw new DamagedFile("An object header of the file continues without end.");
      }
      this.#blocks.set(address, this.file.length(cursor));
      return;
    }
    if (type === 0) return;
    if (type > LAST_TYPE) {
      if ((flags & FAIL_IF_UNKNOWN) === 0) return;
      throw new NotReadableFormat(`HDF5 messages of type ${type} are not read.`);
    }
    if (this.messages.length >= MAX_MESSAGES) {
      throw new DamagedFile("An object header of the file has too many messages.");
    }
    const isShared = (flags & SHARED) !== 0;
    const own = isShared ? sharedMessage(this.file, type, data, this.depth) : data;
    this.messages.push({ type, data: own, creationOrder });
  }
}

/** The highest message type that HDF5 writes (H5Oprivate.h); section IV.A.2 ends at 0x17. */
const LAST_TYPE = 0x18;
/** "If set, the HDF5 decoder should always fail to open this object if it does not understand the message's type" (IV.A.1.a). */
const FAIL_IF_UNKNOWN = 0x80;

/**
 * Section IV.A.1.a. The total of messages is not needed: they fill the header's blocks. HDF5 does not hold it against a
 * file either (H5Ocache.c), but refuses messages that are not aligned.
 */
function readVersion1(file: Hdf5File, address: number, depth: number): ObjectHeader {
  const head = file.cursor(address, 16);
  if (head.u8() !== 1) throw new DamagedFile("The file has no object header where one should be.");
  head.skip(1 + 2 + 4);
  const size = head.u32();
  const header = new HeaderMessages(file, depth);
  let count = 0;
  for (const block of header.blocks(file.cursor(address + 16, size))) {
    while (block.left > 0) {
      const type = block.u16();
      const length = block.u16();
      const flags = block.u8();
      block.skip(3);
      if (length % 8 !== 0) {
        throw new DamagedFile("An object header of the file has a message that is not aligned.");
      }
      header.take(type, flags, block.take8(length), count);
      count += 1;
    }
  }
  return header.finish(address, 16 + size);
}

/** Section IV.A.1.b. Each block ends with a checksum. */
function readVersion2(file: Hdf5File, address: number, depth: number): ObjectHeader {
  const head = file.cursorUpTo(address, 64);
  head.signature("OHDR");
  if (head.u8() !== 2) throw new DamagedFile("An object header of the file has no known version.");
  const flags = head.u8();
  if ((flags & 0x20) !== 0) head.skip(16);
  if ((flags & 0x10) !== 0) head.skip(4);
  const size = head.uint(1 << (flags & 3));
  const hasOrder = (flags & 0x04) !== 0;
  const first = file.checked(address, head.at + size + 4);
  const header = new HeaderMessages(file, depth);
  const least = hasOrder ? 6 : 4;
  let count = 0;
  for (const whole of header.blocks(first)) {
    if (whole === first) whole.skip(head.at);
    else {
      whole.signature("OCHK");
      verify(whole.bytes);
    }
    const block = new Cursor(whole.take8(whole.left - 4));
    // Fewer bytes than a message's head are a gap.
    while (block.left >= least) {
      const type = block.u8();
      const length = block.u16();
      const messageFlags = block.u8();
      const order = hasOrder ? block.u16() : count;
      header.take(type, messageFlags, block.take8(length), order);
      count += 1;
    }
  }
  return header.finish(address, first.bytes.length);
}

/** The content of a message flagged as shared (IV.A.2). */
export function sharedMessage(
  file: Hdf5File,
  type: number,
  data: Uint8Array,
  depth = 0,
): Uint8Array {
  if (depth > MAX_DEPTH) throw new DamagedFile("Shared messages of the file refer to each other.");
  const cursor = new Cursor(data);
  const version = cursor.u8();
  const where = cursor.u8();
  if (version === 3 && where === 1) return inSharedHeap(file, type, cursor.take8(8), depth);
  // Version 1 also has an offset in a heap, of the size of lengths (H5Oshared.c).
  if (version === 1) cursor.skip(6 + file.lengthSize);
  if (version < 1 || version > 3) throw new DamagedFile("A shared message has no known version.");
  const header = readObjectHeader(file, file.address(cursor), depth + 1);
  const message = findMessage(header, type);
  if (message === undefined) throw new DamagedFile("A shared message of the file is not there.");
  return message.bytes;
}

/** The table of shared messages (III.I) lists a fractal heap for each set of message types. */
export function inSharedHeap(file: Hdf5File, type: number, id: Uint8Array, depth = 0): Uint8Array {
  if (file.extension === UNDEFINED) throw new DamagedFile("The file shares messages it has not.");
  const extension = readObjectHeader(file, file.extension, depth + 1);
  const message = findMessage(extension, MESSAGE.sharedTable);
  if (message === undefined) throw new DamagedFile("The file has no table of shared messages.");
  message.skip(1);
  const address = file.address(message);
  const count = message.u8();
  const table = file.structure("SMTB", address, 8 + count * (14 + 2 * file.offsetSize));
  for (let i = 0; i < count; i++) {
    table.skip(2);
    const types = table.u16();
    table.skip(4 + 2 + 2 + 2);
    file.address(table);
    const heap = file.address(table);
    if ((types & (1 << type)) !== 0 && heap !== UNDEFINED) {
      return new FractalHeap(file, heap).get(id);
    }
  }
  throw new DamagedFile("A shared message of the file is not there.");
}
