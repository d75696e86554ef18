/** The checksum of HDF5's metadata: Jenkins' lookup3 with the initial value 0 (specification, III and IV; H5checksum.c). */

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** The last block, one to twelve bytes, padded with zeros. */
const LAST = new DataView(new ArrayBuffer(12));
const LAST_BYTES = new Uint8Array(LAST.buffer);

export function lookup3(bytes: Uint8Array): number {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let a = (0xdeadbeef + length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  for (; length - at > 12; at += 12) {
    a = (a + view.getInt32(at, true)) | 0;
    b = (b + view.getInt32(at + 4, true)) | 0;
    c = (c + view.getInt32(at + 8, true)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  if (at === length) return c >>> 0;
  LAST_BYTES.fill(0);
  LAST_BYTES.set(bytes.subarray(at));
  a = (a + LAST.getInt32(0, true)) | 0;
  b = (b + LAST.getInt32(4, true)) | 0;
  c = (c + LAST.getInt32(8, true)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) >>> 0;
}

/** Whether the last four bytes are the checksum of the others. */
export function fitsChecksum(bytes: Uint8Array): boolean {
  const end = bytes.length - 4;
  if (end < 0) return false;
  const stored = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true);
  return stored === lookup3(bytes.subarray(0, end));
}
