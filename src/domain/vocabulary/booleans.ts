/** Words for true and false (search-semantics, "Filters"). */
const WORDS = new Map([
  ...["true", "t", "1", "yes", "on"].map((word) => [word, true] as const),
  ...["false", "f", "0", "no", "off"].map((word) => [word, false] as const),
]);

/** The meaning of a word, in any case; undefined for other words. */
export const truthOf = (word: string): boolean | undefined => WORDS.get(word.toLowerCase());
