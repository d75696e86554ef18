/** One event as one line of JSON. */
import { escapeUnseen } from "../../domain/text/invisible-characters.js";

export type Field = string | number | boolean | readonly string[] | undefined;
export type Fields = Readonly<Record<string, Field>>;

/** Characters kept of a text: names from outside may have any length. */
const MAX_TEXT = 300;

const bounded = (value: Field): Field => {
  if (typeof value === "string") return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;
  return Array.isArray(value) ? value.map((one) => bounded(one) as string) : value;
};

/** The line, without undefined fields and without a line break. */
export function lineOf(fields: Fields): string {
  const shown = Object.entries(fields).map(([name, value]) => [name, bounded(value)]);
  return escapeUnseen(JSON.stringify(Object.fromEntries(shown)));
}
