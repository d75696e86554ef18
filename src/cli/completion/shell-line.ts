/**
 * A line of a shell, up to where it is completed -> its words, by the rules of POSIX shells for quotes and backslashes. Nothing in
 * it is expanded or run.
 *
 * Source: POSIX.1-2017, Shell Command Language, 2.2 "Quoting"; GNU Readline, "Programmable Completion".
 */

/** The quote that is open where the line ends. */
export type Quote = '"' | "'" | "";

export interface ShellLine {
  /** The words without their quotes; the last is the one to be completed, which may be empty. */
  readonly words: readonly string[];
  /** How the last word is quoted at its end. */
  readonly quote: Quote;
  /** How many characters of the last word, without quotes, the shell leaves as they are. */
  readonly kept: number;
}

const ENDS_COMMAND = new Set([";", "|", "&", "(", ")", "\n"]);

/** @param breaks characters behind which the shell begins to complete anew inside of a word, as in COMP_WORDBREAKS */
export function readShellLine(line: string, breaks: string): ShellLine {
  let words: string[] = [];
  let word: string | undefined;
  let quote: Quote = "";
  let kept = 0;
  const take = (text: string): void => {
    word = (word ?? "") + text;
  };
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
    kept = 0;
  };
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    const next = line[at + 1];
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (quote === '"' && character === "\\" && /^["$`\\\n]$/.test(next ?? "")) {
        take(next ?? "");
        at += 1;
      } else take(character);
    } else if (character === '"' || character === "'") {
      quote = character;
      take("");
      kept = word?.length ?? 0;
    } else if (character === "\\") {
      // At the end of the line it quotes what is still to come.
      if (next !== undefined && next !== "\n") take(next);
      at += 1;
    } else if (/^[ \t]$/.test(character)) end();
    else if (ENDS_COMMAND.has(character)) {
      end();
      words = [];
    } else {
      take(character);
      if (breaks.includes(character)) kept = word?.length ?? 0;
    }
  }
  return { words: [...words, word ?? ""], quote, kept };
}

/** What means itself in all shells, also behind a blank. */
const SAFE = /^[A-Za-z0-9_./:=@%+,-]$/;

/** A text as it is typed so that a shell takes it literally; undefined where that cannot be. */
export function quoted(text: string, quote: Quote): string | undefined {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  // There is no way to write it inside of such quotes that history expansion leaves alone.
  if (quote === '"') return text.includes("!") ? undefined : text.replace(/["$`\\]/g, "\\$&");
  return Array.from(text, (one) => (SAFE.test(one) || one > "\x7f" ? one : `\\${one}`)).join("");
}
