/**
 * JSON as Python's clients of zarr v2 need it, which JSON.stringify does not write: xarray picks
 * types by whether a number has a point, 64-bit integers need all their digits, and NaN is a bare
 * token in attributes, which only `strictJson` makes readable for those that are not Python.
 */
import type { AttributeValue } from "../netcdf/model.js";

/** A floating-point number: always with a point or an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  // Beyond all doubles, so infinite for Python and JavaScript alike; the bare word is no JSON.
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
  // One value is a scalar: NetCDF does not tell them apart, and its readers give a scalar.
  return texts.length === 1 ? (texts[0] ?? "null") : `[${texts.join(",")}]`;
}

/** A fill value: as in attributes, but NaN and the infinities are strings (zarr v2, "fill_value"). */
export function fillText(value: number | bigint, isFloat: boolean): string {
  if (!isFloat) return String(value);
  return Number.isFinite(Number(value)) ? floatText(Number(value)) : JSON.stringify(String(value));
}

/**
 * The end of a string in JSON: the place after its closing quote, or the end of the text.
 *
 * Each character is looked at a bounded number of times, whatever the text is: no expression that
 * may go back is tried on what others wrote.
 *
 * @param from the place of its opening quote
 */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first > from + 1 && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return text.length;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

const MAX_PARTS = 1 << 14;

/** The bare tokens of Python's `json`, and what is written for them. */
const BARE = [
  ["NaN", '"NaN"'],
  ["Infinity", "1e999"],
] as const;

/** Whether a text may be no JSON by the standard: it has such a token, perhaps within a string. */
export const hasBareTokens = (text: string): boolean =>
  BARE.some(([token]) => text.includes(token));

/**
 * JSON (RFC 8259) of what Python's `json` wrote, which may hold the bare tokens NaN and Infinity.
 *
 * NaN becomes the text "NaN", as in fill values and in zarr v3: JSON has no number for it.
 *
 * @returns the same text where it has none of them
 */
export function strictJson(text: string): string {
  if (!hasBareTokens(text)) return text;
  const long: string[] = [];
  const parts: string[] = [];
  let copied = 0;
  const marks = /["NI]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const at = mark.index;
    if (text.charCodeAt(at) === QUOTE) {
      marks.lastIndex = endOfString(text, at);
      continue;
    }
    const found = BARE.find(([token]) => text.startsWith(token, at));
    if (found === undefined) continue;
    parts.push(text.slice(copied, at), found[1]);
    // Many short pieces take far more memory than what is in them.
    if (parts.length > MAX_PARTS) long.push(parts.splice(0).join(""));
    copied = at + found[0].length;
    marks.lastIndex = copied;
  }
  return copied === 0 ? text : [...long, ...parts, text.slice(copied)].join("");
}

/** An object of members that are JSON text already. */
export function objectText(members: Iterable<readonly [string, string]>): string {
  const parts: string[] = [];
  for (const [name, text] of members) parts.push(`${JSON.stringify(name)}:${text}`);
  return `{${parts.join(",")}}`;
}

/**
 * The members of a JSON object with their values as text: parsed and written again, numbers would
 * lose digits and points.
 *
 * @param text of an object that is JSON but for the bare tokens that `strictJson` knows
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
