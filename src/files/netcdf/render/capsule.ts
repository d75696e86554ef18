/**
 * Wraps a stored chunk in an HDF5 file with one dataset of one chunk.
 *
 * The WebAssembly build of HDF5 reads files only. It gets this file in memory and never sees the real one, whose size
 * and external links therefore do not matter.
 *
 * Source: HDF5 File Format Specification Version 3.0, II.A (superblock 0), III.A.1 (B-tree 1), IV.A (object header 1
 * and messages).
 */

const NOTHING = 0xffff_ffff_ffff_ffffn;
/** Children per node of a chunk B-tree: twice the default rank of 32. Nodes always have this size on disk. */
const NODE_CHILDREN = 64;

/** Writes the structures of a file, all of which are short. */
class Writer {
  readonly bytes: number[] = [];

  get at(): number {
    return this.bytes.length;
  }

  #uint(value: number | bigint, size: number): void {
    for (let i = 0, rest = BigInt(value); i < size; i++, rest >>= 8n) {
      this.bytes.push(Number(rest & 0xffn));
    }
  }

  u8(...values: number[]): void {
    this.bytes.push(...values);
  }

  u16(value: number): void {
    this.#uint(value, 2);
  }

  u32(value: number): void {
    this.#uint(value, 4);
  }

  u64(value: number | bigint): void {
    this.#uint(value, 8);
  }

  fillTo(at: number): void {
    while (this.at < at) this.bytes.push(0);
  }
}

export interface CapsuleChunk {
  readonly stored: Uint8Array;
  readonly mask: number;
  readonly chunk: readonly number[];
  readonly elementSize: number;
  readonly filters: readonly { readonly id: number; readonly parameters: readonly number[] }[];
}

/** Decodes chunks with filters that have no implementation here. */
export interface Hdf5Decoder {
  decode(chunk: CapsuleChunk): Uint8Array;
}

export const CAPSULE_DATASET = "chunk";

function message(type: number, write: (writer: Writer) => void): number[] {
  const body = new Writer();
  write(body);
  body.fillTo(Math.ceil(body.at / 8) * 8);
  const whole = new Writer();
  whole.u16(type);
  whole.u16(body.at);
  whole.u8(0, 0, 0, 0, ...body.bytes);
  return whole.bytes;
}

/** Version 1 of the object header. */
function header(messages: readonly (readonly number[])[]): number[] {
  const writer = new Writer();
  writer.u8(1, 0);
  writer.u16(messages.length);
  writer.u32(1);
  writer.u32(messages.reduce((sum, { length }) => sum + length, 0));
  writer.u32(0);
  for (const each of messages) writer.u8(...each);
  return writer.bytes;
}

function filterMessage(filters: CapsuleChunk["filters"]): number[] {
  return message(0x0b, (writer) => {
    writer.u8(1, filters.length, 0, 0, 0, 0, 0, 0);
    for (const { id, parameters } of filters) {
      writer.u16(id);
      writer.u16(0);
      writer.u16(0);
      writer.u16(parameters.length);
      for (const parameter of parameters) writer.u32(parameter);
      if (parameters.length % 2 === 1) writer.u32(0);
    }
  });
}

function datasetHeader(chunk: CapsuleChunk, treeAddress: number): number[] {
  const rank = chunk.chunk.length;
  const dataspace = message(0x01, (writer) => {
    writer.u8(1, rank, 0, 0, 0, 0, 0, 0);
    for (const length of chunk.chunk) writer.u64(length);
  });
  // Opaque, because the library would convert big-endian numbers. The filters' parameters contain what they need to
  // know of the type.
  const datatype = message(0x03, (writer) => {
    writer.u8(0x15, 0, 0, 0);
    writer.u32(chunk.elementSize);
  });
  // Version 2: space allocated on demand, fill value undefined.
  const fill = message(0x05, (writer) => writer.u8(2, 3, 1, 0));
  const layout = message(0x08, (writer) => {
    writer.u8(3, 2, rank + 1);
    writer.u64(treeAddress);
    for (const length of chunk.chunk) writer.u32(length);
    writer.u32(chunk.elementSize);
  });
  return header([dataspace, datatype, fill, layout, filterMessage(chunk.filters)]);
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

export function makeCapsule(chunk: CapsuleChunk): Uint8Array {
  const rank = chunk.chunk.length;
  const keySize = 8 + 8 * (rank + 1);
  const treeSize = 24 + NODE_CHILDREN * 8 + (NODE_CHILDREN + 1) * keySize;
  const rootAddress = 96;
  const root = (datasetAddress: number): number[] => {
    const linkInfo = message(0x02, (writer) => {
      writer.u8(0, 0);
      writer.u64(NOTHING);
      writer.u64(NOTHING);
    });
    const groupInfo = message(0x0a, (writer) => writer.u8(0, 0));
    const link = message(0x06, (writer) => {
      writer.u8(1, 0, CAPSULE_DATASET.length, ...ascii(CAPSULE_DATASET));
      writer.u64(datasetAddress);
    });
    return header([linkInfo, groupInfo, link]);
  };
  const datasetAddress = rootAddress + root(0).length;
  const treeAddress = datasetAddress + datasetHeader(chunk, 0).length;
  const dataAddress = treeAddress + treeSize;
  const end = dataAddress + chunk.stored.length;

  const file = new Writer();
  file.u8(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);
  file.u8(0, 0, 0, 0, 0, 8, 8, 0);
  file.u16(4);
  file.u16(16);
  file.u32(0);
  for (const address of [0n, NOTHING, BigInt(end), NOTHING]) file.u64(address);
  file.u64(0); // the root's entry: no name
  file.u64(rootAddress);
  file.fillTo(rootAddress);
  file.u8(...root(datasetAddress), ...datasetHeader(chunk, treeAddress));
  file.u8(...ascii("TREE"), 1, 0);
  file.u16(1);
  file.u64(NOTHING);
  file.u64(NOTHING);
  file.u32(chunk.stored.length);
  file.u32(chunk.mask);
  for (let d = 0; d <= rank; d++) file.u64(0);
  file.u64(dataAddress);
  file.u32(0);
  file.u32(0);
  for (const length of chunk.chunk) file.u64(length);
  file.u64(0);
  const whole = new Uint8Array(end);
  whole.set(file.bytes);
  whole.set(chunk.stored, dataAddress);
  return whole;
}
