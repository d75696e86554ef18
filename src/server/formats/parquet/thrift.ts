/**
 * Thrift's compact protocol, the format of Parquet's headers and footer (Apache Thrift, "Thrift Compact protocol encoding").
 * All numbers are zero or greater.
 */

/** A value with the number of its type. */
export interface Thrift {
  readonly type: number;
  readonly bytes: Buffer;
}

const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** A number of up to 53 bits, seven in each byte, the lowest first. */
export function varint(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

/** Zigzag doubles numbers from zero. */
const zigzag = (number: number): Buffer => Buffer.from(varint(number * 2));

export const i32 = (number: number): Thrift => ({ type: I32, bytes: zigzag(number) });
export const i64 = (number: number): Thrift => ({ type: I64, bytes: zigzag(number) });
/** A field of a struct; its type is its value. */
export const TRUE: Thrift = { type: 1, bytes: Buffer.alloc(0) };

export function text(value: string): Thrift {
  const bytes = Buffer.from(value);
  return { type: BINARY, bytes: Buffer.concat([Buffer.from(varint(bytes.length)), bytes]) };
}

/** Values of one type. The type of an empty list does not matter. */
export function list(values: readonly Thrift[]): Thrift {
  const { length } = values;
  const type = values[0]?.type ?? STRUCT;
  const head = length < 15 ? [(length << 4) | type] : [0xf0 | type, ...varint(length)];
  return {
    type: LIST,
    bytes: Buffer.concat([Buffer.from(head), ...values.map(({ bytes }) => bytes)]),
  };
}

/** Fields by number, ascending in steps below 16. Undefined values are omitted. */
export function struct(
  fields: readonly (readonly [id: number, value: Thrift | undefined])[],
): Thrift {
  const parts: Buffer[] = [];
  let last = 0;
  for (const [id, value] of fields) {
    if (value === undefined) continue;
    parts.push(Buffer.from([((id - last) << 4) | value.type]), value.bytes);
    last = id;
  }
  return { type: STRUCT, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
}
