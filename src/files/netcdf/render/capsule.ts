/**
 * Wraps a stored chunk in an HDF5 file with one dataset of one chunk.
 *
 * The WebAssembly build of HDF5 reads files only. It gets this file in memory and never sees the real one, whose size
 * and external links therefore do not matter.
 *
 * Source: HDF5 File Format Specification Version 3.0, II.A (superblock 0), IV.A (object header 1 and messages).
 */
import type { Filter } from "../hdf5/messages.js";
import { encodedSize } from "../hdf5/structures/b-tree-2.js";

const NOTHING = 0xffff_ffff_ffff_ffffn;
/** Bytes of the superblock. The chunk follows it, and then the headers. */
const SUPERBLOCK_SIZE = 96;

/** Writes the structures of a file, all of which are short. */
class Writer {
  readonly bytes: number[] = [];

  uints(size: number, values: readonly (number | bigint)[]): void {
    for (const value of values) {
      for (let i = 0, rest = BigInt(value); i < size; i++, rest >>= 8n) {
        this.bytes.push(Number(rest & 0xffn));
      }
    }
  }

  u8(...values: number[]): void {
    this.bytes.push(...values);
  }

  u16(...values: number[]): void {
    this.uints(2, values);
  }

  u32(...values: number[]): void {
    this.uints(4, values);
  }

  u64(...values: (number | bigint)[]): void {
    this.uints(8, values);
  }

  fillTo(at: number): void {
    while (this.bytes.length < at) this.bytes.push(0);
  }
}

export interface CapsuleChunk {
  readonly stored: Uint8Array;
  readonly mask: number;
  readonly chunk: readonly number[];
  readonly elementSize: number;
  readonly filters: readonly Filter[];
}

/** Decodes chunks with filters that have no implementation here. */
export interface Hdf5Decoder {
  decode(chunk: CapsuleChunk): Uint8Array;
}

export const CAPSULE_DATASET = "chunk";

function message(type: number, write: (writer: Writer) => void): number[] {
  const body = new Writer();
  write(body);
  body.fillTo(Math.ceil(body.bytes.length / 8) * 8);
  const whole = new Writer();
  whole.u16(type, body.bytes.length);
  whole.u8(0, 0, 0, 0, ...body.bytes);
  return whole.bytes;
}

/** Version 1 of the object header. */
function header(...messages: readonly (readonly number[])[]): number[] {
  const writer = new Writer();
  writer.u8(1, 0);
  writer.u16(messages.length);
  writer.u32(
    1,
    messages.reduce((sum, { length }) => sum + length, 0),
    0,
  );
  for (const each of messages) writer.u8(...each);
  return writer.bytes;
}

function filterMessage(filters: readonly Filter[]): number[] {
  return message(0x0b, (writer) => {
    writer.u8(1, filters.length, 0, 0, 0, 0, 0, 0);
    for (const { id, parameters } of filters) {
      writer.u16(id, 0, 0, parameters.length);
      writer.u32(...parameters);
      if (parameters.length % 2 === 1) writer.u32(0);
    }
  });
}

function datasetHeader({ stored, mask, chunk, elementSize, filters }: CapsuleChunk): number[] {
  const dataspace = message(0x01, (writer) => {
    writer.u8(1, chunk.length, 0, 0, 0, 0, 0, 0);
    writer.u64(...chunk);
  });
  // Opaque, because the library would convert big-endian numbers. The filters' parameters contain what they need to
  // know of the type.
  const datatype = message(0x03, (writer) => {
    writer.u8(0x15, 0, 0, 0);
    writer.u32(elementSize);
  });
  // Version 2: space allocated on demand, fill value undefined.
  const fill = message(0x05, (writer) => writer.u8(2, 3, 1, 0));
  // Version 4: a single chunk with filters. HDF5 takes its lengths in as many bytes as the longest needs.
  const lengths = [...chunk, elementSize];
  const width = encodedSize(Math.max(...lengths));
  const layout = message(0x08, (writer) => {
    writer.u8(4, 2, 2, lengths.length, width);
    writer.uints(width, lengths);
    writer.u8(1);
    writer.u64(stored.length);
    writer.u32(mask);
    writer.u64(SUPERBLOCK_SIZE);
  });
  return header(dataspace, datatype, fill, layout, filterMessage(filters));
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The header of a group with one member. */
function rootHeader(memberAddress: number): number[] {
  const linkInfo = message(0x02, (writer) => {
    writer.u8(0, 0);
    writer.u64(NOTHING, NOTHING);
  });
  const groupInfo = message(0x0a, (writer) => writer.u8(0, 0));
  const link = message(0x06, (writer) => {
    writer.u8(1, 0, CAPSULE_DATASET.length, ...ascii(CAPSULE_DATASET));
    writer.u64(memberAddress);
  });
  return header(linkInfo, groupInfo, link);
}

export function makeCapsule(chunk: CapsuleChunk): Uint8Array {
  const dataset = datasetHeader(chunk);
  const datasetAddress = SUPERBLOCK_SIZE + chunk.stored.length;
  const root = rootHeader(datasetAddress);
  const rootAddress = datasetAddress + dataset.length;
  const end = rootAddress + root.length;

  const superblock = new Writer();
  superblock.u8(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);
  superblock.u8(0, 0, 0, 0, 0, 8, 8, 0);
  superblock.u16(4, 16);
  superblock.u32(0);
  superblock.u64(0, NOTHING, end, NOTHING);
  superblock.u64(0, rootAddress); // the root's entry, without a name
  const whole = new Uint8Array(end);
  whole.set(superblock.bytes);
  whole.set(chunk.stored, SUPERBLOCK_SIZE);
  whole.set(dataset, datasetAddress);
  whole.set(root, rootAddress);
  return whole;
}
