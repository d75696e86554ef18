/** Words and endings that have a meaning of their own in searches. */

const TRUTHS = new Map([
  ...["true", "t", "1", "yes", "on"].map((word) => [word, true] as const),
  ...["false", "f", "0", "no", "off"].map((word) => [word, false] as const),
]);

/** The meaning of a word, in any case (search-semantics, "Filters"); undefined for other words. */
export const truthOf = (word: string): boolean | undefined => TRUTHS.get(word.toLowerCase());

/** The end of a key that excludes its values. */
export const EXCLUDES = "_not_";
