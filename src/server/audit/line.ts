/** One event, one line of JSON, whatever the texts in it are. */
import { escapeUnseen } from "../../domain/text/invisible-characters.js";

export type Field = string | number | boolean | readonly string[] | undefined;
export type Fields = Readonly<Record<string, Field>>;

/** Characters of a text; what is longer is cut, as names of any length come from outside. */
const MAX_TEXT = 300;

const bounded = (value: Field): Field => {
  if (typeof value === "string") return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;
  return Array.isArray(value) ? value.map((one) => bounded(one) as string) : value;
};

/** Without fields that are undefined; without an end of line. */
export function lineOf(fields: Fields): string {
  const shown = Object.entries(fields).map(([name, value]) => [name, bounded(value)]);
  return escapeUnseen(JSON.stringify(Object.fromEntries(shown)));
}
