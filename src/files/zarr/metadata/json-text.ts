/**
 * Writes JSON for Python's zarr v2 clients, which JSON.stringify cannot: xarray infers types from decimal points,
 * 64-bit integers need all digits, and NaN is a bare token in attributes.
 */
import type { AttributeValue } from "../../netcdf/model.js";
import { parseDocument, textsIn } from "./json-object.js";
import { LEFT_OUT } from "./keys.js";
import { endOfString } from "./strict-json.js";

/** A floating-point number, always with a point or an exponent. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  // Exceeds all doubles, so Python and JavaScript read infinity. The bare word is no JSON.
  if (!Number.isFinite(value)) return value > 0 ? "1e999" : "-1e999";
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
  // A single value becomes a scalar: NetCDF does not distinguish them, and its readers return scalars.
  return texts.length === 1 ? (texts[0] ?? "null") : `[${texts.join(",")}]`;
}

/** A fill value: as in attributes, but NaN and infinities are strings (zarr v2, "fill_value"). */
export function fillText(value: number | bigint, isFloat: boolean): string {
  if (!isFloat) return String(value);
  return Number.isFinite(Number(value)) ? floatText(Number(value)) : JSON.stringify(String(value));
}

/** A JSON object from members that are JSON text already. */
export function objectText(members: Iterable<readonly [string, string]>): string {
  const parts: string[] = [];
  for (const [name, text] of members) parts.push(`${JSON.stringify(name)}:${text}`);
  return `{${parts.join(",")}}`;
}

/**
 * The members of a JSON object with their values as text. Parsing the values would lose digits and decimal points.
 *
 * @param text of an object; the bare tokens that `strictJson` converts are allowed
 */
export function memberTexts(text: string): [string, string][] {
  const members: [string, string][] = [];
  let depth = 0;
  let name: string | undefined;
  let from = 0;
  const end = (at: number): void => {
    if (name !== undefined) members.push([name, text.slice(from, at).trim()]);
    name = undefined;
  };
  const marks = /["[\]{},:]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const { index } = mark;
    const [token = ""] = mark;
    if (token === '"') {
      const after = endOfString(text, index);
      marks.lastIndex = after;
      if (depth === 1 && name === undefined) name = String(JSON.parse(text.slice(index, after)));
    } else if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") {
      depth -= 1;
      if (depth === 0) end(index);
    } else if (depth === 1 && token === ",") end(index);
    else if (depth === 1 && token === ":") from = index + 1;
  }
  return members;
}

/** Attributes of a group, as JSON text, that list more omitted members. @param sentences one for each */
export function withLeftOut(attributes: string, sentences: readonly string[]): string {
  const named = textsIn(parseDocument(attributes)[LEFT_OUT]);
  const members = new Map(memberTexts(attributes));
  return objectText(members.set(LEFT_OUT, JSON.stringify([...named, ...sentences])));
}
