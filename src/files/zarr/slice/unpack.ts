/**
 * Stored elements -> values, as xarray decodes them: missing ones NaN, packed ones unpacked (CF, 2.5.1 and 8.1). Ranges that
 * attributes call valid are left alone, as they are there.
 */
import type { AttributeValue } from "../../cf/header.js";
import { doubleIn } from "../../netcdf/numbers.js";
import type { Json } from "../metadata/json-object.js";

export type Unpack = (stored: number | bigint) => number;

export interface Packed {
  /** `<i2`, `float32`. */
  readonly type: string;
  /** `_FillValue` among them. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /**
   * Whether attributes have lost their type on the way, as in JSON: a value that is missing is then one that the variable's
   * type makes of the attribute.
   */
  readonly isUntyped: boolean;
}

/** Whether elements of a type are numbers, or true and false. */
export const isNumberType = (type: string): boolean =>
  /^(?:[<>|=]?(?:[fiu][1248]|b1)|(?:float|u?int)\d+|bool)$/.test(type);

/** `i`, `u` or `f`, and how many bits. */
function kindOf(type: string): { readonly kind: string; readonly bits: number } {
  const [, kind = "", size = ""] = /(float|uint|int|[fiu])(\d+)$/.exec(type) ?? [];
  return { kind: kind[0] ?? "b", bits: kind.length === 1 ? 8 * Number(size) : Number(size) };
}

/** Makes the function that unpacks elements of a variable. */
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

/** An attribute as numbers; a text is none, but for a fill value of zarr v3. */
function numbersIn(value: AttributeValue | undefined): readonly number[] {
  if (typeof value === "string") return [doubleIn(value) ?? []].flat();
  return (value ?? []).filter((one): one is number => typeof one === "number");
}

/** netCDF-3 has no unsigned types, and says so by an attribute; and some have none that are signed. */
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

/** The attributes of an array as xarray has them: the fill value of zarr v2 is where `_FillValue` is kept. */
export function attributesWithFill(
  attributes: ReadonlyMap<string, AttributeValue>,
  { fill_value: fill, dtype }: Json,
  version: 2 | 3,
): ReadonlyMap<string, AttributeValue> {
  const isSet = version === 2 && fill !== null && fill !== undefined && isNumberType(String(dtype));
  return isSet ? new Map([...attributes, ["_FillValue", [Number(fill)]] as const]) : attributes;
}
