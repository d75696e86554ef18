/** Finds the words of names that a misspelt word may mean. */
import { editDistance } from "../text/nearest-names.js";
import { folded } from "./match.js";

/** Letters of a word in which a slip can be seen: shorter words are near too many others. */
const MIN_LETTERS = 5;

/** Enter selects a near value although it was not typed: two slips in a short text lead to another word. */
export const nearSlips = (text: string): number => (text.length < 6 ? 1 : 2);

/** The words of some texts that are long enough. @param texts folded */
export const longWords = (texts: Iterable<string>): ReadonlySet<string> =>
  new Set(
    [...texts]
      .flatMap((text) => text.split(" "))
      .filter((word) => word.length >= MIN_LETTERS && !/\d/.test(word)),
  );

/** The known words with the fewest slips to a text, within `nearSlips`. */
export function nearestWords(text: string, known: Iterable<string>): string[] {
  const typed = folded(text);
  if (typed.length < MIN_LETTERS) return [];
  let least = nearSlips(typed);
  let nearest: string[] = [];
  for (const word of known) {
    const slips = editDistance(typed, word, least);
    if (slips > least) continue;
    if (slips < least) nearest = [];
    least = slips;
    nearest.push(word);
  }
  return nearest;
}
