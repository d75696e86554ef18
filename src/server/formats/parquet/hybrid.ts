/** Small whole numbers as runs of equal ones, or packed bit by bit (Apache Parquet, "Encodings", RLE = 3). */
import { varint } from "./thrift.js";

/** Numbers are packed in groups of this size; shorter runs are packed, too. */
const GROUP = 8;

/** Bits for the numbers up to `most`, at least one. */
export const bitWidth = (max: number): number => Math.max(1, 32 - Math.clz32(max));

/** @param width bits of each number */
export function hybrid(numbers: readonly number[], width: number): Buffer {
  const parts: Buffer[] = [];
  const { length } = numbers;
  const run = (from: number, max: number): number => {
    let at = from + 1;
    while (at < length && at - from < max && numbers[at] === numbers[from]) at += 1;
    return at - from;
  };
  for (let at = 0; at < length; ) {
    const equal = run(at, length);
    if (equal >= GROUP) {
      parts.push(Buffer.from([...varint(equal * 2), ...littleEndian(numbers[at] ?? 0, width)]));
      at += equal;
      continue;
    }
    // Only the last group may be padded, so a run can start only after a full group.
    let end = at + GROUP;
    while (end < length && run(end, GROUP) < GROUP) end += GROUP;
    parts.push(packed(numbers.slice(at, end), width));
    at = end;
  }
  return Buffer.concat(parts);
}

const littleEndian = (number: number, width: number): number[] =>
  Array.from({ length: Math.ceil(width / 8) }, (_, byte) => (number >>> (8 * byte)) & 0xff);

function packed(numbers: readonly number[], width: number): Buffer {
  const groups = Math.ceil(numbers.length / GROUP);
  const head = varint(groups * 2 + 1);
  const out = Buffer.alloc(head.length + groups * width);
  out.set(head);
  let bit = head.length * 8;
  for (const number of numbers) {
    for (let taken = 0; taken < width; ) {
      const free = 8 - (bit % 8);
      const count = Math.min(free, width - taken);
      const bits = (number >>> taken) & ((1 << count) - 1);
      out[bit >>> 3] = (out[bit >>> 3] ?? 0) | (bits << (bit % 8));
      taken += count;
      bit += count;
    }
  }
  return out;
}
