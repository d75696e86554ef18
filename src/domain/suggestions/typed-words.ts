/** Splits a typed text into words. */
import { fileName } from "../text/file-name.js";

/** Words of everyday language that say nothing about data. */
export const FILLERS: ReadonlySet<string> = new Set(
  "a all and any around at by data dataset datasets every file files find for from in me model models of on or over show the to with".split(
    " ",
  ),
);

/** Words that exclude what follows them. */
const EXCLUDING: ReadonlySet<string> = new Set(["not", "without", "except", "excluding"]);

export interface TypedWord {
  readonly text: string;
  /** A quoted text is one word, blanks included, and nothing else. */
  readonly isQuoted: boolean;
  /** `-` or `!` before a text that it excludes, or that it joins to the one before it, as in `1990 -2000`. */
  readonly sign: string;
}

const WORD = /([-!]+(?=[^\s,;!-]))?(?:"([^"]*)(?:"|$)|([^\s,;"]+))/gu;
/** `experiment!=historical`, as the command line has it. */
const UNEQUAL = /^([a-z][a-z0-9_-]*)!=(?=.)/i;
const DATA_FILE = /\.(?:nc4?|h5|hdf5?|grib2?|grb2?|zarr)$/i;

/**
 * Words at blanks, commas and semicolons; texts in double quotes stay whole. Control characters count as blanks. The name of a
 * file of data is read as the words between its underscores.
 */
export function typedWords(text: string): readonly TypedWord[] {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, " ");
  return [...visible.matchAll(WORD)].flatMap(([, sign = "", quoted, plain = ""]) => {
    if (quoted !== undefined) return wordOf(quoted, sign, true);
    if (DATA_FILE.test(plain)) {
      const parts = fileName(plain).replace(DATA_FILE, "").split("_");
      return parts.flatMap((part) => wordOf(part, "", false));
    }
    const equal = plain.replace(UNEQUAL, "$1=");
    return wordOf(withoutWildcards(equal), equal === plain ? sign : "!", false);
  });
}

function wordOf(text: string, sign: string, isQuoted: boolean): TypedWord[] {
  const bare = text.trim();
  return bare === "" ? [] : [{ text: bare, isQuoted, sign }];
}

/** The words after what excludes their first part, and how many words that is; undefined if nothing does. */
export function excludedIn(words: readonly TypedWord[]) {
  const [first, ...others] = words;
  if (first === undefined) return undefined;
  if (first.sign !== "") return { words: [{ ...first, sign: "" }, ...others], skipped: 0 };
  if (first.isQuoted || !EXCLUDING.has(first.text.toLowerCase())) return undefined;
  const at = words.findIndex((word, index) => index > 0 && !isFiller(word));
  return at < 0 ? undefined : { words: words.slice(at), skipped: at };
}

/** Words as they were typed, separated by one blank. */
export const writtenWords = (words: readonly TypedWord[]): string =>
  words.map(({ sign, text }) => sign + text).join(" ");

/** Wildcards at the ends add nothing: the beginning of a value finds it. A regular expression would take quadratic time. */
function withoutWildcards(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && "*?".includes(text.charAt(begin))) begin += 1;
  while (end > begin && "*?".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

export const isFiller = ({ text, isQuoted }: TypedWord): boolean =>
  !isQuoted && FILLERS.has(text.toLowerCase());
