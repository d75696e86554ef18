/**
 * Matches texts with wildcards, in time linear in the length of the text whatever the form is. Regular expressions of such forms can
 * take much longer.
 */

/** `digits` matches one or more digits, `one` a character, `any` any number of characters, anything else itself. */
type Sign = { readonly kind: "digits" | "one" | "any" } | { readonly literal: string };

/** A text with wildcards, sign by sign. */
export type Form = readonly Sign[];

/** The wildcards of searches. */
export const WILDCARDS: Readonly<Record<string, Sign>> = {
  "?": { kind: "one" },
  "*": { kind: "any" },
};

export const formOf = (text: string, wildcards = WILDCARDS): Form =>
  [...text].map((sign) => (Object.hasOwn(wildcards, sign) && wildcards[sign]) || { literal: sign });

const isDigit = (character: string): boolean => character >= "0" && character <= "9";

/** Whether a whole text has a form. Follows all ways through the form at once, character by character. */
export function fits(form: Form, text: string): boolean {
  let states = skipAny(form, new Set([0]));
  for (const character of text) {
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
function skipAny(form: Form, states: Set<number>): Set<number> {
  for (const state of states) {
    const sign = form[state];
    if (sign !== undefined && "kind" in sign && sign.kind === "any") states.add(state + 1);
  }
  return states;
}
