/** Random texts for parsers: valid, nearly valid, and any other. */
import { chance } from "./trials.js";

/** Texts that have a meaning to parsers, or break careless ones. */
const PIECES = [
  "",
  " ",
  "\t",
  "\n",
  "\0",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "é",
  "e\u0301",
  "💥",
  "\ud800",
  "İ",
  "٣",
  "0",
  "00",
  "-0",
  "1",
  "9",
  "1e3",
  "1e309",
  ".5",
  "5.",
  "0x10",
  "1_000",
  "NaN",
  "Infinity",
  "-",
  "+",
  ",",
  ";",
  ":",
  "=",
  "/",
  "\\",
  '"',
  "'",
  "*",
  "?",
  "!",
  "~",
  "^",
  "%",
  "%00",
  "%2e",
  "&",
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  "<",
  ">",
  "|",
  "#",
  "$",
  "${x}",
  "{{x}}",
  "..",
  "../",
  "./",
  "//",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "true",
  "W/",
  "bytes=",
  "not ",
  "2000",
  "2000-02-30",
  "T24",
  "Z",
  "to",
  " TO ",
  "[* TO *]",
  "fx",
  "ENVELOPE(",
  ".zarray",
  "nc",
];

export interface TextChance {
  /** From 0 to 1. */
  readonly random: () => number;
  readonly below: (limit: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  /** Any text of up to this many pieces. */
  readonly text: (pieces?: number) => string;
  /** A text with up to three characters or pieces taken out, put in or repeated. */
  readonly mutant: (text: string) => string;
}

export function textChance(seed: number): TextChance {
  const random = chance(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const character = (): string =>
    random() < 0.7 ? pick(PIECES) : String.fromCharCode(below(random() < 0.8 ? 0x80 : 0x1_0000));
  const text = (pieces = 6): string =>
    Array.from({ length: below(pieces + 1) }, character).join("");
  const mutant = (whole: string): string => {
    let changed = whole;
    for (let left = 1 + below(3); left > 0; left -= 1) {
      const at = below(changed.length + 1);
      const kept = changed.slice(at + below(3));
      changed = changed.slice(0, at) + (random() < 0.6 ? character() : "") + kept;
    }
    return changed;
  };
  return { random, below, pick, text, mutant };
}
