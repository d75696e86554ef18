/** Reads object headers and their messages (specification, section IV.A). */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import { Cursor } from "../source/cursor.js";
import { type Hdf5File, readSuperblock, UNDEFINED, verify } from "./file.js";
import {
  findMessage,
  MESSAGE,
  type Message,
  messageCursor,
  type ObjectHeader,
} from "./header-message.js";
import { sharedMessage } from "./shared-message.js";

/** Maximum blocks, and messages, of an object. */
const MAX_BLOCKS = 10_000;
const MAX_MESSAGES = 200_000;
const SHARED = 0x02;

interface Block {
  readonly cursor: Cursor;
  readonly isContinuation: boolean;
}

/** @param at position of the superblock. @throws NotReadableFormat, DamagedFile */
export function openHdf5(reader: FileReader, at: number): Hdf5File {
  const file = readSuperblock(reader, at);
  if (file.extension === UNDEFINED) return file;
  const header = readObjectHeader(file, file.extension);
  if (findMessage(header, MESSAGE.cacheImage) !== undefined) {
    throw new NotReadableFormat("An image of HDF5's metadata cache is not read.");
  }
  const message = findMessage(header, MESSAGE.bTreeRanks);
  if (message === undefined) return file;
  // Section IV.A.2.t.
  const cursor = messageCursor(message);
  cursor.skip(1);
  const [chunkTree, groupTree, symbolNode] = [cursor.u16(), cursor.u16(), cursor.u16()];
  return file.withRanks({ chunkTree, groupTree, symbolNode });
}

/** The header at an address, with continuations and shared messages resolved. */
export function readObjectHeader(file: Hdf5File, address: number, depth = 0): ObjectHeader {
  const start = file.cursorUpTo(address, 16);
  const isNew = start.bytes[0] === 0x4f && start.bytes[1] === 0x48; // "OH" of "OHDR"
  return isNew ? readVersion2(file, address, depth) : readVersion1(file, address, depth);
}

/** The content of a message flagged as shared outside of object headers. @throws DamagedFile */
export function sharedContents(file: Hdf5File, type: number, data: Uint8Array): Uint8Array {
  return sharedMessage(file, type, data, 0, readObjectHeader);
}

/** Walks the blocks of a header: the first one, then those of continuation messages. */
class HeaderWalk {
  readonly messages: Message[] = [];
  readonly #blocks: { readonly address: number; readonly length: number }[] = [];
  readonly #queue: Block[];
  readonly #visited = new Set<number>();
  readonly #file: Hdf5File;
  readonly #depth: number;
  /** Removes the frame of a continuation block. */
  readonly #open: (cursor: Cursor) => Cursor;

  constructor(file: Hdf5File, first: Cursor, depth: number, open: (cursor: Cursor) => Cursor) {
    this.#file = file;
    this.#depth = depth;
    this.#open = open;
    this.#queue = [{ cursor: first, isContinuation: false }];
  }

  next(): Cursor | undefined {
    const block = this.#queue.shift();
    if (block === undefined) return undefined;
    return block.isContinuation ? this.#open(block.cursor) : block.cursor;
  }

  /** Claims the bytes of a header that was read to its end. */
  finish(address: number, length: number): ObjectHeader {
    this.#file.space.claim(address, length);
    for (const block of this.#blocks) {
      this.#file.space.claim(block.address, block.length, address);
    }
    return { address, messages: this.messages };
  }

  take(type: number, flags: number, data: Uint8Array, creationOrder: number): void {
    this.#file.reader.tick();
    if (type === MESSAGE.continuation) {
      const cursor = new Cursor(data);
      const address = this.#file.address(cursor);
      const length = this.#file.length(cursor);
      if (this.#visited.has(address) || this.#visited.size >= MAX_BLOCKS) {
        throw new DamagedFile("An object header of the file continues without end.");
      }
      this.#visited.add(address);
      this.#blocks.push({ address, length });
      this.#queue.push({ cursor: this.#file.cursor(address, length), isContinuation: true });
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
    const own = isShared
      ? sharedMessage(this.#file, type, data, this.#depth, readObjectHeader)
      : data;
    this.messages.push({ type, data: own, creationOrder });
  }
}

/** The highest message type in this version of the format (section IV.A.2). */
const LAST_TYPE = 0x18;
/** "If set, ... the library should fail to open the object if it does not know this message" (IV.A.1). */
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
  const first = file.cursor(address + 16, size);
  const walk = new HeaderWalk(file, first, depth, (cursor) => cursor);
  let count = 0;
  for (let block = walk.next(); block !== undefined; block = walk.next()) {
    while (block.left > 0) {
      const type = block.u16();
      const length = block.u16();
      const flags = block.u8();
      block.skip(3);
      if (length % 8 !== 0) {
        throw new DamagedFile("An object header of the file has a message that is not aligned.");
      }
      walk.take(type, flags, block.take8(length), count);
      count += 1;
    }
  }
  return walk.finish(address, 16 + size);
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
  const block = file.checked(address, head.at + size + 4);
  const first = new Cursor(block.bytes.subarray(head.at, head.at + size));
  const open = (cursor: Cursor): Cursor => {
    cursor.signature("OCHK");
    verify(cursor.bytes);
    return new Cursor(cursor.take8(cursor.left - 4));
  };
  const walk = new HeaderWalk(file, first, depth, open);
  const least = hasOrder ? 6 : 4;
  let count = 0;
  for (let next = walk.next(); next !== undefined; next = walk.next()) {
    // Fewer bytes than a message's head are a gap.
    while (next.left >= least) {
      const type = next.u8();
      const length = next.u16();
      const messageFlags = next.u8();
      const order = hasOrder ? next.u16() : count;
      walk.take(type, messageFlags, next.take8(length), order);
      count += 1;
    }
  }
  return walk.finish(address, block.bytes.length);
}
