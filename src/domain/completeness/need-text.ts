/**
 * The text of a need, part by part: `variable_id:tas;table_id:Amon;on=source_id;from=1850;to=2014`.
 *
 * Parts are parted by `;`. A part `name:value` asks for files that have the value. `\` takes a `;`, `:`, `\`, `*` or `?`
 * behind it literally; any other `\` means itself.
 */
import { Unreadable } from "../extent/period.js";

/** The longest that is looked at. */
export const MAX_NEED_LENGTH = 10_000;

/** An option with what was written behind its `=`, or a pair. */
export type NeedPart =
  | { readonly option: "on" | "from" | "to"; readonly text: string }
  | { readonly option?: undefined; readonly name: string; readonly value: string };

/** The characters that a backslash takes literally. */
const LITERAL = new Set(["\\", ";", ":", "*", "?"]);
const OPTION = /^\s*(on|from|to)\s*=(.*)$/s;

/** One character, and whether it stands for itself alone. */
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

/** A pair of a name and a value. @throws Unreadable */
function pairOf(part: readonly Unit[]): NeedPart {
  const colon = part.findIndex(isMark(":"));
  if (colon < 0) throw new Unreadable(`has ${shown(joined(part))}, which is no facet:value`);
  const [name, value] = [joined(part.slice(0, colon)).trim(), part.slice(colon + 1)];
  if (value.length === 0) throw new Unreadable(`has no value of ${shown(name)}`);
  if (value.some((unit) => isMark("*")(unit) || isMark("?")(unit))) {
    throw new Unreadable(
      `has a wildcard in ${shown(joined(part))}: what is needed has one value; a backslash before * or ? takes it literally`,
    );
  }
  return { name, value: joined(value) };
}

/** The parts of one need, in their order; empty ones are none. @throws Unreadable at the first that is none */
export function* needParts(text: string): Generator<NeedPart, void, undefined> {
  for (const part of split(text)) {
    const plain = joined(part);
    if (plain.trim() === "") continue;
    const [, option, given = ""] = OPTION.exec(plain) ?? [];
    if (option === "on" || option === "from" || option === "to") yield { option, text: given };
    else yield pairOf(part);
  }
}

/** A pair as it is written in a need. */
export const pairText = (name: string, value: string): string =>
  `${name}:${value.replace(/\\(?=[\\;:*?]|$)|[;:*?]/g, "\\$&")}`;
