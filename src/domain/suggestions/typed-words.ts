/** Splits a typed text into words. */

/** Words of everyday language that say nothing about data. */
export const FILLERS: ReadonlySet<string> = new Set(
  "a all and any around at by data dataset datasets file files find for from in me model models of on or over show the to with".split(
    " ",
  ),
);

export interface TypedWord {
  readonly text: string;
  /** A quoted text is one word, blanks included, and nothing else. */
  readonly isQuoted: boolean;
}

const WORD = /"([^"]*)(?:"|$)|[^\s,;"]+/gu;

/** Words at blanks, commas and semicolons; texts in double quotes stay whole. Control characters count as blanks. */
export function typedWords(text: string): readonly TypedWord[] {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, " ");
  return [...visible.matchAll(WORD)].flatMap(([whole, quoted]) => {
    // Wildcards at the ends add nothing: the beginning of a value finds it.
    const bare = (quoted ?? withoutWildcards(whole)).trim();
    return bare === "" ? [] : [{ text: bare, isQuoted: quoted !== undefined }];
  });
}

/** A text without wildcards at its ends. A regular expression would take quadratic time. */
function withoutWildcards(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && "*?".includes(text.charAt(begin))) begin += 1;
  while (end > begin && "*?".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

export const isFiller = ({ text, isQuoted }: TypedWord): boolean =>
  !isQuoted && FILLERS.has(text.toLowerCase());
