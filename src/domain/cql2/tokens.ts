/** Splits CQL2 text into tokens, and goes through them. Source: OGC 21-065r2, 1.0, annex B (BNF). */
import { Unreadable } from "../extent/period.js";

export type Token =
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "quoted"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "sign"; readonly text: string }
  | { readonly kind: "end" };

/** Longest filter, in characters. */
const MAX_LENGTH = 50_000;

const PATTERN =
  /\s+|(?<word>[\p{L}_:][\p{L}\p{N}\p{M}_:.\u00b7]*)|"(?<quoted>(?:[^"]|"")*)"|'(?<text>(?:[^'\\]|''|\\[\s\S])*)'|(?<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)|(?<sign><>|<=|>=|!=|[<>=(),])/iuy;

/** In texts, a quote is doubled or follows a backslash; before all others the backslash stays, for `like`. */
const unquoted = (text: string): string => text.replace(/''|\\'/g, "'");

export function tokensOf(text: string): Token[] {
  if (text.length > MAX_LENGTH) {
    throw new Unreadable(`must have at most ${MAX_LENGTH} characters`);
  }
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < text.length) {
    const at = PATTERN.lastIndex;
    const found = PATTERN.exec(text);
    if (found === null) {
      throw new Unreadable(
        `cannot be read from ${JSON.stringify(text.slice(at, at + 20))} on; texts are in single quotes`,
      );
    }
    const { word, quoted, text: literal, number, sign } = found.groups ?? {};
    if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (quoted !== undefined) {
      tokens.push({ kind: "quoted", text: quoted.replaceAll('""', '"') });
    } else if (literal !== undefined) tokens.push({ kind: "text", text: unquoted(literal) });
    else if (number !== undefined) tokens.push({ kind: "number", value: Number(number) });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign === "!=" ? "<>" : sign });
  }
  tokens.push({ kind: "end" });
  return tokens;
}

/** A token in a sentence. */
function shownToken(token: Token): string {
  if (token.kind === "end") return "the end";
  const text = token.kind === "number" ? String(token.value) : token.text;
  return JSON.stringify(text.slice(0, 40));
}

/** Goes through tokens. */
export class TokenReader {
  /** Index of the next token. */
  at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  get next(): Token {
    return this.tokens[this.at] ?? { kind: "end" };
  }

  unexpected(wanted: string): Unreadable {
    return new Unreadable(`has ${shownToken(this.next)} instead of ${wanted}`);
  }

  /** The next token in capitals if it is a word outside of quotes. */
  word(): string {
    const token = this.next;
    return token.kind === "word" ? token.text.toUpperCase() : "";
  }

  takeSign(text: string): boolean {
    const token = this.next;
    if (token.kind !== "sign" || token.text !== text) return false;
    this.at += 1;
    return true;
  }

  needSign(text: string): void {
    if (!this.takeSign(text)) throw this.unexpected(JSON.stringify(text));
  }
}
