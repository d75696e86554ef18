/**
 * Splits a need such as `variable_id:tas;table_id:Amon;on=source_id;from=1850;to=2014` into its parts.
 *
 * Parts are separated by `;`. `name:value` requires files with that value. A backslash before `;`, `:`, `\`, `*` or `?`
 * makes that character literal; any other backslash stands for itself.
 */
import { Unreadable } from "../extent/period.js";

/** Longer needs are refused. */
export const MAX_NEED_LENGTH = 10_000;

/** An option with the text after its `=`, or a name and a value. */
type NeedPart =
  | { readonly option: "on" | "from" | "to"; readonly text: string }
  | { readonly option?: undefined; readonly name: string; readonly value: string };

const OPTION = /^\s*(on|from|to)\s*=(.*)$/s;

/** One character, or a backslash and the character that it makes literal. */
const UNIT = /\\[\\;:*?]|[\s\S]/g;

function split(text: string): string[][] {
  const parts: string[][] = [[]];
  for (const unit of text.match(UNIT) ?? []) {
    if (unit === ";") parts.push([]);
    else parts.at(-1)?.push(unit);
  }
  return parts;
}

const joined = (units: readonly string[]): string => units.map((unit) => unit.slice(-1)).join("");

/** A text in an error message, quoted and cut short. */
export const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

/** A pair of a name and a value. */
function pairOf(part: readonly string[]): NeedPart {
  const colon = part.indexOf(":");
  if (colon < 0) {
    throw new Unreadable(`contains ${shown(joined(part))}, which is not of the form facet:value`);
  }
  const [name, value] = [joined(part.slice(0, colon)).trim(), part.slice(colon + 1)];
  if (value.length === 0) throw new Unreadable(`has no value for ${shown(name)}`);
  if (value.includes("*") || value.includes("?")) {
    throw new Unreadable(
      `has a wildcard in ${shown(joined(part))}: a need takes exact values; write \\* or \\? for the character itself`,
    );
  }
  return { name, value: joined(value) };
}

/** The non-empty parts of one need, in order. @throws Unreadable at the first invalid part */
export function* needParts(text: string): Generator<NeedPart, void, undefined> {
  for (const part of split(text)) {
    const plain = joined(part);
    if (plain.trim() === "") continue;
    const [, option, given = ""] = OPTION.exec(plain) ?? [];
    if (option === "on" || option === "from" || option === "to") yield { option, text: given };
    else yield pairOf(part);
  }
}

/** A name and a value as they are written in a need. */
export const pairText = (name: string, value: string): string =>
  `${name}:${value.replace(/\\(?=[\\;:*?]|$)|[;:*?]/g, "\\$&")}`;
