/** Numbers as variables store them: read one by one, and written. */
import { eachInSlices } from "../../../../platform/concurrency/time-slices.js";
import { JoinRefused } from "../../errors.js";
import { elementsIn } from "../../slice/unpack.js";
import type { VariableForm } from "../file-facts.js";

/** Numbers by their index; integers of 64 bits as bigint. */
export interface Numbers {
  readonly length: number;
  at(index: number): number | bigint;
}

/** The numbers of a variable, each read when it is needed: an axis may have millions. */
export function numbersIn(
  { type, name }: Pick<VariableForm, "type" | "name">,
  bytes: Uint8Array,
): Numbers {
  if (type.kind !== "plain") throw new JoinRefused(`${name} has no numbers.`);
  return { length: bytes.byteLength / type.size, at: elementsIn(bytes, type.dtype) };
}

/** The typed arrays of the types that times may have. */
const ARRAYS = {
  f4: Float32Array,
  f8: Float64Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
};
const isShortKind = (kind: string): kind is keyof typeof ARRAYS => Object.hasOwn(ARRAYS, kind);

/** @throws JoinRefused for a type that is not one of times */
export async function writeNumbers(
  numbers: readonly (number | bigint)[],
  dtype: string,
): Promise<Uint8Array> {
  const kind = dtype.slice(1);
  if (/^[iu]8$/.test(kind)) {
    const integers = new BigInt64Array(numbers.length);
    await eachInSlices(numbers, (number, i) => {
      integers[i] = BigInt(number);
    });
    return new Uint8Array(integers.buffer);
  }
  if (!isShortKind(kind)) throw new JoinRefused("A time is no number of its type.");
  const values = new ARRAYS[kind](numbers.length);
  await eachInSlices(numbers, (number, i) => {
    values[i] = Number(number);
  });
  return new Uint8Array(values.buffer);
}
