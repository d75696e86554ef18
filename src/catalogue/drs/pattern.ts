/**
 * Patterns for values in paths, such as `v#|latest`. They replace regular expressions, so that matching a pattern from
 * any file takes time linear in the length of the value.
 */

import { type Form, fits, formOf, WILDCARDS } from "../../domain/text/wildcards.js";

/** `#` matches one or more digits. */
const SIGNS: typeof WILDCARDS = { ...WILDCARDS, "#": { kind: "digits" } };

/** Characters of a pattern: far more than any standard needs. */
export const MAX_PATTERN = 500;

/** One or several forms separated by `|`. The whole value has to match one of them. */
export class Pattern {
  readonly text: string;
  readonly #forms: readonly Form[];

  constructor(text: string) {
    this.text = text;
    this.#forms = text.split("|").map((form) => formOf(form, SIGNS));
  }

  fits(value: string): boolean {
    return this.#forms.some((form) => fits(form, value));
  }
}
