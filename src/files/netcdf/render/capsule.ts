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

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  at = 0;

  #room(count: number): number {
    const from = this.at;
    this.at += count;
    if (this.at > this.#bytes.length) {
      const longer = new Uint8Array(this.at * 2);
      longer.set(this.#bytes);
      this.#bytes = longer;
      this.#view = new DataView(longer.buffer);
    }
    return from;
  }

  u8(...values: number[]): void {
    for (const value of values) this.#view.setUint8(this.#room(1), value);
  }

  u16(value: number): void {
    this.#view.setUint16(this.#room(2), value, true);
  }

  u32(value: number): void {
    this.#view.setUint32(this.#room(4), value >>> 0, true);
  }

  u64(value: number | bigint): void {
    this.#view.setBigUint64(this.#room(8), BigInt(value), true);
  }

  put(bytes: Uint8Array): void {
    const from = this.#room(bytes.length);
    this.#bytes.set(bytes, from);
  }

  fillTo(at: number): void {
    if (at > this.at) this.#room(at - this.at);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.at);
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

function message(type: number, write: (writer: Writer) => void): Uint8Array {
  const body = new Writer();
  write(body);
  body.fillTo(Math.ceil(body.at / 8) * 8);
  const data = body.finish();
  const whole = new Writer();
  whole.u16(type);
  whole.u16(data.length);
  whole.u8(0, 0, 0, 0);
  whole.put(data);
  return whole.finish();
}

/** Version 1 of the object header. */
function header(messages: readonly Uint8Array[]): Uint8Array {
  const writer = new Writer();
  writer.u8(1, 0);
  writer.u16(messages.length);
  writer.u32(1);
  writer.u32(messages.reduce((sum, { length }) => sum + length, 0));
  writer.u32(0);
  for (const each of messages) writer.put(each);
  return writer.finish();
}

function filterMessage(filters: CapsuleChunk["filters"]): Uint8Array {
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

function datasetHeader(chunk: CapsuleChunk, treeAddress: number): Uint8Array {
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

export function makeCapsule(chunk: CapsuleChunk): Uint8Array {
  const rank = chunk.chunk.length;
  const keySize = 8 + 8 * (rank + 1);
  const treeSize = 24 + NODE_CHILDREN * 8 + (NODE_CHILDREN + 1) * keySize;
  const rootAddress = 96;
  const root = (datasetAddress: number): Uint8Array => {
    const linkInfo = message(0x02, (writer) => {
      writer.u8(0, 0);
      writer.u64(NOTHING);
      writer.u64(NOTHING);
    });
    const groupInfo = message(0x0a, (writer) => writer.u8(0, 0));
    const link = message(0x06, (writer) => {
      writer.u8(1, 0, CAPSULE_DATASET.length);
      writer.put(new TextEncoder().encode(CAPSULE_DATASET));
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
  file.put(root(datasetAddress));
  file.put(datasetHeader(chunk, treeAddress));
  file.put(new TextEncoder().encode("TREE"));
  file.u8(1, 0);
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
  file.fillTo(dataAddress);
  file.put(chunk.stored);
  return file.finish();
}
