/**
 * JSON as Python's clients of zarr v2 need it, which JSON.stringify does not write: xarray picks
 * types by whether a number has a point, 64-bit integers need all their digits, and NaN is a bare
 * token in attributes.
 */
import type { AttributeValue } from "./model.js";

/** A floating-point number: always with a point or an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export function attributeText(attribute: AttributeValue): string {
  if (attribute.kind === "text") return JSON.stringify(attribute.value);
  if (attribute.kind === "texts") return JSON.stringify(attribute.values);
  const texts = attribute.values.map((value) =>
    attribute.isFloat ? floatText(Number(value)) : String(value),
  );
  // One value is a scalar: NetCDF does not tell them apart, and its readers give a scalar.
  return texts.length === 1 ? (texts[0] ?? "null") : `[${texts.join(",")}]`;
}

/** A fill value: as in attributes, but NaN and the infinities are strings (zarr v2, "fill_value"). */
export function fillText(value: number | bigint, isFloat: boolean): string {
  if (!isFloat) return String(value);
  const text = floatText(Number(value));
  return /[Na]/.test(text) ? JSON.stringify(text) : text;
}

/** An object of members that are JSON text already. */
export function objectText(members: Iterable<readonly [string, string]>): string {
  const parts: string[] = [];
  for (const [name, text] of members) parts.push(`${JSON.stringify(name)}:${text}`);
  return `{${parts.join(",")}}`;
}
