/**
 * Unpacks stored elements as xarray does: missing values become NaN, packed ones are scaled (CF, 2.5.1 and 8.1). Valid
 * ranges are ignored, as in xarray.
 */
import type { AttributeValue } from "../../cf/header.js";
import type { Attribute } from "../../netcdf/model.js";
import { doubleIn, readNumber } from "../../netcdf/numbers.js";
import type { Json } from "../metadata/json-object.js";

export type Unpack = (stored: number | bigint) => number;

interface Packed {
  /** For example `<i2` or `float32`. */
  readonly type: string;
  /** Including `_FillValue`. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /**
   * Whether the attributes' types are lost, as in JSON. Missing values are then compared after conversion to the
   * variable's type.
   */
  readonly isUntyped: boolean;
}

/** Whether elements of a type are numbers or booleans. */
export const isNumberType = (type: string): boolean =>
  /^(?:[<>|=]?(?:[fiu][1248]|b1)|(?:float|u?int)\d+|bool)$/.test(type);

/** `i`, `u` or `f`, and the number of bits. */
function kindOf(type: string): { readonly kind: string; readonly bits: number } {
  const [, kind = "", size = ""] = /(float|uint|int|[fiu])(\d+)$/.exec(type) ?? [];
  return { kind: kind[0] ?? "b", bits: kind.length === 1 ? 8 * Number(size) : Number(size) };
}

/** Attributes as CF has them. */
export const cfAttributes = (
  attributes: readonly Attribute[],
): ReadonlyMap<string, AttributeValue> =>
  new Map(
    attributes.map(({ name, value }): [string, AttributeValue] => {
      if (value.kind === "text") return [name, value.value];
      return [name, value.kind === "texts" ? value.values : value.values.map(Number)];
    }),
  );

/** Reads stored elements by their index. */
export function elementsIn(bytes: Uint8Array, dtype: string): (index: number) => number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [kind, size, isLittle] = [dtype.slice(1), Number(dtype.slice(2)), !dtype.startsWith(">")];
  return (index) => readNumber(view, index * size, kind, isLittle);
}

/** The function that unpacks elements of a variable. */
export function unpacking({ type, attributes, isUntyped }: Packed): Unpack {
  const { kind, bits } = kindOf(type);
  const sign = signOf(kind, bits, attributes.get("_Unsigned"));
  const missing = new Set<number>();
  for (const name of ["_FillValue", "missing_value"]) {
    for (const value of numbersIn(attributes.get(name))) {
      const own = kind === "f" && bits <= 32 && isUntyped ? Math.fround(value) : value;
      if (!Number.isNaN(value)) missing.add(sign(own));
    }
  }
  const [factor = 1] = numbersIn(attributes.get("scale_factor"));
  const [offset = 0] = numbersIn(attributes.get("add_offset"));
  if (missing.size === 0 && factor === 1 && offset === 0) return (stored) => sign(Number(stored));
  return (stored) => {
    const value = sign(Number(stored));
    return missing.has(value) ? Number.NaN : value * factor + offset;
  };
}

/** An attribute as numbers. A text gives none, except for a fill value of zarr v3. */
function numbersIn(value: AttributeValue | undefined): readonly number[] {
  if (typeof value === "string") return [doubleIn(value) ?? []].flat();
  return (value ?? []).filter((one): one is number => typeof one === "number");
}

/** netCDF-3 marks unsigned types by the attribute `_Unsigned`, and some formats do so for signed ones. */
function signOf(
  kind: string,
  bits: number,
  unsigned: AttributeValue | undefined,
): (value: number) => number {
  const range = 2 ** bits;
  if (kind === "i" && unsigned === "true") return (value) => (value < 0 ? value + range : value);
  if (kind === "u" && unsigned === "false") {
    return (value) => (value >= range / 2 ? value - range : value);
  }
  return (value) => value;
}

/** The attributes of an array in xarray's form: zarr v2 stores `_FillValue` as its fill value. */
export function attributesWithFill(
  attributes: ReadonlyMap<string, AttributeValue>,
  { fill_value: fill, dtype }: Json,
  version: 2 | 3,
): ReadonlyMap<string, AttributeValue> {
  const isSet = version === 2 && fill !== null && fill !== undefined && isNumberType(String(dtype));
  return isSet ? new Map([...attributes, ["_FillValue", [Number(fill)]] as const]) : attributes;
}
