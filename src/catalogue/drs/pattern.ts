/**
 * Patterns for values in paths, such as `v#|latest`. They replace regular expressions, so that matching a pattern from
 * any file takes time linear in the length of the value.
 */

import { LRUCache } from "lru-cache";

/** `#` matches one or more digits, `?` one character, `*` any number of characters, anything else itself. */
type Token = { readonly kind: "digits" | "one" | "any" } | { readonly literal: string };

const SIGNS: Readonly<Record<string, Token>> = {
  "#": { kind: "digits" },
  "?": { kind: "one" },
  "*": { kind: "any" },
};

/** Characters of a pattern: far more than any standard needs. */
export const MAX_PATTERN = 500;

const MAX_REMEMBERED = 500;

/** One or several forms separated by `|`. The whole value has to match one of them. */
export class Pattern {
  readonly text: string;
  readonly #forms: readonly (readonly Token[])[];
  /** Recent results: an archive has few values, each in many paths. */
  readonly #cache = new LRUCache<string, boolean>({
    max: MAX_REMEMBERED,
    memoMethod: (value) => {
      const characters = [...value];
      return this.#forms.some((form) => fits(form, characters));
    },
  });

  constructor(text: string) {
    this.text = text;
    this.#forms = text
      .split("|")
      .map((form) =>
        [...form].map((sign) => (Object.hasOwn(SIGNS, sign) && SIGNS[sign]) || { literal: sign }),
      );
  }

  fits(value: string): boolean {
    return this.#cache.memo(value);
  }
}

const isDigit = (character: string): boolean => character >= "0" && character <= "9";

/** Follows all ways through the form at once, character by character. */
function fits(form: readonly Token[], characters: readonly string[]): boolean {
  let states = skipAny(form, new Set([0]));
  for (const character of characters) {
    const next = new Set<number>();
    for (const state of states) {
      const sign = form[state];
      if (sign === undefined) continue;
      if ("literal" in sign) {
        if (sign.literal === character) next.add(state + 1);
      } else if (sign.kind === "one") next.add(state + 1);
      else if (sign.kind === "any") next.add(state);
      else if (isDigit(character)) next.add(state).add(state + 1);
    }
    if (next.size === 0) return false;
    states = skipAny(form, next);
  }
  return states.has(form.length);
}

/** `*` also matches the empty text. */
function skipAny(form: readonly Token[], states: Set<number>): Set<number> {
  for (const state of states) {
    const sign = form[state];
    if (sign !== undefined && "kind" in sign && sign.kind === "any") states.add(state + 1);
  }
  return states;
}
