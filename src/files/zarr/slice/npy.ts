/** Writes and reads float32 arrays as NPY files (NEP 1, version 1.0) for np.load. */
import { elementCount } from "../../netcdf/shape.js";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
const ALIGNED = 64;

/** An NPY file with space for the values of an array. */
export function makeNpy(shape: readonly number[]): { bytes: Uint8Array; values: Float32Array } {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${tuple}), }`;
  const length = Math.ceil((MAGIC.length + 2 + text.length + 1) / ALIGNED) * ALIGNED;
  const count = elementCount(shape);
  const bytes = new Uint8Array(length + 4 * count);
  bytes.set(MAGIC);
  const headerLength = length - MAGIC.length - 2;
  new DataView(bytes.buffer).setUint16(MAGIC.length, headerLength, true);
  const header = `${text.padEnd(headerLength - 1)}\n`;
  bytes.set(new TextEncoder().encode(header), MAGIC.length + 2);
  return { bytes, values: new Float32Array(bytes.buffer, length, count) };
}

/** @throws Error if these are not bytes from makeNpy */
export function readNpy(bytes: Uint8Array): { shape: number[]; values: Float32Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = MAGIC.length + 2 + view.getUint16(MAGIC.length, true);
  const header = new TextDecoder().decode(bytes.subarray(MAGIC.length + 2, from));
  const [, tuple] = /'shape': \(([\d, ]*)\)/.exec(header) ?? [];
  if (tuple === undefined || !header.includes("'descr': '<f4'")) {
    throw new Error("The service's answer is no array.");
  }
  const shape = (tuple.match(/\d+/g) ?? []).map(Number);
  const count = elementCount(shape);
  if (bytes.byteLength !== from + 4 * count) throw new Error("The service's answer is cut off.");
  return { shape, values: new Float32Array(bytes.slice(from).buffer) };
}
