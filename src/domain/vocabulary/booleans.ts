/** What callers write for true and false (search-semantics, "Filters"). */
const WORDS = new Map([
  ...["true", "t", "1", "yes", "on"].map((word) => [word, true] as const),
  ...["false", "f", "0", "no", "off"].map((word) => [word, false] as const),
]);

/** What a word says, in any case; undefined where it says neither. */
export const truthOf = (word: string): boolean | undefined => WORDS.get(word.toLowerCase());
