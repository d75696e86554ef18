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

/** The characters that a backslash makes literal. */
const LITERAL = new Set(["\\", ";", ":", "*", "?"]);
const OPTION = /^\s*(on|from|to)\s*=(.*)$/s;

/** One character, and whether it was escaped. */
interface Unit {
  readonly text: string;
  readonly isLiteral: boolean;
}

function units(text: string): Unit[] {
  const all: Unit[] = [];
  for (let at = 0; at < text.length; at++) {
    const [one = "", next = ""] = [text[at], text[at + 1]];
    const isEscape = one === "\\" && LITERAL.has(next);
    all.push(isEscape ? { text: next, isLiteral: true } : { text: one, isLiteral: false });
    if (isEscape) at += 1;
  }
  return all;
}

const isMark = (mark: string) => (unit: Unit) => !unit.isLiteral && unit.text === mark;

function split(text: string): Unit[][] {
  const parts: Unit[][] = [[]];
  for (const unit of units(text)) {
    if (isMark(";")(unit)) parts.push([]);
    else parts.at(-1)?.push(unit);
  }
  return parts;
}

const joined = (parts: readonly Unit[]): string => parts.map(({ text }) => text).join("");

/** A text in an error message, quoted and cut short. */
export const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

/** A pair of a name and a value. */
function pairOf(part: readonly Unit[]): NeedPart {
  const colon = part.findIndex(isMark(":"));
  if (colon < 0) {
    throw new Unreadable(`contains ${shown(joined(part))}, which is not of the form facet:value`);
  }
  const [name, value] = [joined(part.slice(0, colon)).trim(), part.slice(colon + 1)];
  if (value.length === 0) throw new Unreadable(`has no value for ${shown(name)}`);
  if (value.some((unit) => isMark("*")(unit) || isMark("?")(unit))) {
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
