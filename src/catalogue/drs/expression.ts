/** Expressions that combine named texts: `{driving_model}-{rcm_name}`, `{table_id[2]}`, `{realm[*]}`. */

/** An invalid expression; the message is a predicate of it. */
export class BadExpression extends Error {}

type Piece = string | { readonly name: string; readonly word?: number | "each" };

/** Gives the text of a name; undefined if there is none. */
export type Lookup = (name: string) => string | undefined;

const MAX_EXPRESSION = 500;
const MAX_WORDS = 50;

/** A text with names in braces. `[2]` is the second word of the named text, `[*]` gives each word as a value. */
export class Expression {
  readonly text: string;
  readonly #pieces: readonly Piece[];

  constructor(text: string) {
    if (text.length > MAX_EXPRESSION) {
      throw new BadExpression(`has more than ${MAX_EXPRESSION} characters`);
    }
    this.text = text;
    this.#pieces = (text.match(/\{[^{}]*\}|[^{}]+|[{}]/g) ?? []).map(pieceOf);
    if (this.isList && this.#pieces.length > 1) {
      throw new BadExpression("has [*], which must stand alone");
    }
  }

  get names(): readonly string[] {
    return this.#pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));
  }

  get isList(): boolean {
    return this.#pieces.some((piece) => typeof piece !== "string" && piece.word === "each");
  }

  /** Its value; undefined if one of its names has no text. */
  value(lookup: Lookup): string | readonly string[] | undefined {
    let text = "";
    for (const piece of this.#pieces) {
      if (typeof piece === "string") {
        text += piece;
        continue;
      }
      const whole = lookup(piece.name);
      if (whole === undefined) return undefined;
      if (piece.word === undefined) {
        text += whole;
        continue;
      }
      const words = whole.split(/[\s,]+/).filter((word) => word !== "");
      if (piece.word === "each") return words.length > 1 ? words.slice(0, MAX_WORDS) : words[0];
      const word = words[piece.word - 1];
      if (word === undefined) return undefined;
      text += word;
    }
    return text;
  }
}

function pieceOf(token: string): Piece {
  if (token === "{" || token === "}") throw new BadExpression(`has a ${token} without the other`);
  if (!token.startsWith("{")) return token;
  const [, name = "", word] = /^\{([^[\]]*)(?:\[(\*|[1-9])\])?\}$/.exec(token) ?? [];
  if (name.trim() === "") throw new BadExpression(`has ${token}, which is no name`);
  if (word === undefined) return { name: name.trim() };
  return { name: name.trim(), word: word === "*" ? "each" : Number(word) };
}
