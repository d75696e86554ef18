/**
 * Splits a shell line, up to the cursor, into words by the POSIX rules for quotes and backslashes. Nothing in it is
 * expanded or run.
 *
 * Source: POSIX.1-2017, Shell Command Language, 2.2 "Quoting"; GNU Readline, "Programmable Completion".
 */

/** The quote that is open at the end of the line. */
type Quote = '"' | "'" | "";

export interface ShellLine {
  /** The words without quotes; the last one, which may be empty, is to be completed. */
  readonly words: readonly string[];
  readonly quote: Quote;
  /** Number of characters of the last word, without quotes, that the shell does not replace. */
  readonly kept: number;
}

const ENDS_COMMAND = new Set([";", "|", "&", "(", ")", "\n"]);

/** @param breaks characters after which the shell starts a new completion inside a word, as in COMP_WORDBREAKS */
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
      // At the end of the line the backslash quotes the next character to be typed.
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

/** Characters without a special meaning in any shell, also at the start of a word. */
const SAFE = /^[A-Za-z0-9_./:=@%+,-]$/;

/** Quotes a text so that a shell takes it literally; undefined if that is impossible. */
export function quoted(text: string, quote: Quote): string | undefined {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  // Inside double quotes `!` cannot be protected from history expansion.
  if (quote === '"') return text.includes("!") ? undefined : text.replace(/["$`\\]/g, "\\$&");
  return Array.from(text, (one) => (SAFE.test(one) || one > "\x7f" ? one : `\\${one}`)).join("");
}
