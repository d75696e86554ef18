/** Reads CQL2 text. Source: OGC 21-065r2, 1.0, annex B (BNF); WKT of geometries: OGC 06-103r4. */
import { readGeometry } from "../extent/geometry.js";
import { Unreadable } from "../extent/period.js";
import { type Expression, isComparator } from "./expression.js";
import { readDay, readTimestamp } from "./instants.js";
import {
  Bounds,
  between,
  comparison,
  FUNCTIONS,
  likeness,
  membership,
  nullness,
  type Operand,
} from "./operands.js";
import { tokensOf } from "./tokens.js";
import { WKT_KINDS, WktReader } from "./wkt.js";

/** @throws Unreadable if it is not CQL2 text, or too long or too deep */
export function readTextFilter(text: string): Expression {
  const reader = new Reader(tokensOf(text));
  const expression = reader.expression(1);
  reader.end();
  return expression;
}

class Reader extends WktReader {
  readonly #bounds = new Bounds();

  end(): void {
    if (this.next.kind !== "end") throw this.unexpected("and, or, or the end");
  }

  #takeWord(word: string): boolean {
    if (this.word() !== word) return false;
    this.at += 1;
    return true;
  }

  #needWord(word: string): void {
    if (!this.#takeWord(word)) throw this.unexpected(word.toLowerCase());
  }

  /** or, and, not bind in this order, the last one most. */
  expression(depth: number): Expression {
    this.#bounds.checkDepth(depth);
    const conjunction = () => this.#joined("all", "AND", () => this.#factor(depth));
    return this.#joined("any", "OR", conjunction);
  }

  #joined(kind: "all" | "any", word: string, read: () => Expression): Expression {
    const first = read();
    const of = [first];
    while (this.#takeWord(word)) of.push(read());
    return of.length === 1 ? first : { kind, of };
  }

  #factor(depth: number): Expression {
    if (this.takeSign("(")) {
      const inner = this.expression(depth + 1);
      this.needSign(")");
      return inner;
    }
    this.#bounds.enter(depth);
    if (this.#takeWord("NOT")) return { kind: "not", of: this.#factor(depth + 1) };
    return this.#predicate(depth);
  }

  #predicate(depth: number): Expression {
    const word = this.word();
    const isCall = this.#isCall();
    if (!isCall && (word === "TRUE" || word === "FALSE")) {
      const after = this.tokens[this.at + 1];
      if (after?.kind !== "sign" || !isComparator(after.text)) {
        this.at += 1;
        return { kind: "constant", value: word === "TRUE" };
      }
    }
    const ofTwo = isCall ? FUNCTIONS.get(word.toLowerCase()) : undefined;
    if (ofTwo !== undefined) return ofTwo(...this.#arguments(depth));
    return this.#comparison(this.#operand(depth + 1), depth);
  }

  #isCall(): boolean {
    const after = this.tokens[this.at + 1];
    return this.next.kind === "word" && after?.kind === "sign" && after.text === "(";
  }

  /** The two arguments of a function. */
  #arguments(depth: number): [Operand, Operand] {
    this.at += 1;
    this.needSign("(");
    const left = this.#operand(depth + 1);
    this.needSign(",");
    const right = this.#operand(depth + 1);
    this.needSign(")");
    return [left, right];
  }

  #comparison(left: Operand, depth: number): Expression {
    const token = this.next;
    if (token.kind === "sign" && isComparator(token.text)) {
      this.at += 1;
      return comparison(token.text, left, this.#operand(depth + 1));
    }
    if (this.#takeWord("IS")) {
      const isNegated = this.#takeWord("NOT");
      this.#needWord("NULL");
      return negated(isNegated, nullness(left));
    }
    const isNegated = this.#takeWord("NOT");
    if (this.#takeWord("LIKE")) return negated(isNegated, likeness(left, this.#operand(depth + 1)));
    if (this.#takeWord("IN")) {
      const list = this.#operand(depth + 1);
      return negated(isNegated, membership(left, list.kind === "list" ? list.of : [list]));
    }
    if (this.#takeWord("BETWEEN")) {
      const low = this.#operand(depth + 1);
      this.#needWord("AND");
      return negated(isNegated, between(left, low, this.#operand(depth + 1)));
    }
    throw this.unexpected("a comparison");
  }

  #operand(depth: number): Operand {
    this.#bounds.checkDepth(depth);
    const token = this.next;
    if (token.kind === "text" || token.kind === "number") {
      this.at += 1;
      this.#bounds.addValue();
      return { kind: "scalar", value: token.kind === "text" ? token.text : token.value };
    }
    if (token.kind === "quoted") {
      this.at += 1;
      return { kind: "property", name: token.text };
    }
    if (this.takeSign("(")) return { kind: "list", of: this.#list(depth) };
    if (token.kind !== "word") throw this.unexpected("a property or a value");
    return this.#named(token.text, depth);
  }

  #list(depth: number): Operand[] {
    const of: Operand[] = [];
    if (this.takeSign(")")) return of;
    do of.push(this.#operand(depth + 1));
    while (this.takeSign(","));
    this.needSign(")");
    return of;
  }

  /** A property, a boolean, or a function that gives a value. */
  #named(text: string, depth: number): Operand {
    const word = text.toUpperCase();
    const isCall = this.#isCall();
    if (WKT_KINDS.has(word) && (isCall || this.#isWktWithHeights())) {
      return { kind: "geometry", geometry: readGeometry(this.geometry(1)) };
    }
    this.at += 1;
    if (!isCall) {
      if (word === "TRUE" || word === "FALSE") {
        this.#bounds.addValue();
        return { kind: "scalar", value: word === "TRUE" };
      }
      return { kind: "property", name: text };
    }
    this.needSign("(");
    const args = this.#list(depth);
    const [first, second] = args;
    const one = args.length === 1 ? first : undefined;
    if (word === "CASEI" && one !== undefined) return { kind: "folded", of: one };
    const instant = one?.kind === "scalar" && typeof one.value === "string" ? one.value : undefined;
    if (word === "DATE" && instant !== undefined) return { kind: "span", span: readDay(instant) };
    if (word === "TIMESTAMP" && instant !== undefined) {
      return { kind: "span", span: readTimestamp(instant) };
    }
    if (word === "INTERVAL" && args.length === 2 && first && second) {
      return { kind: "interval", ends: [first, second] };
    }
    throw new Unreadable(`has a function that is not known here: ${text.slice(0, 40)}`);
  }

  /** `POINT Z (...)`. */
  #isWktWithHeights(): boolean {
    const [, after, open] = this.tokens.slice(this.at, this.at + 3);
    const isHeight = after?.kind === "word" && after.text.toUpperCase() === "Z";
    return isHeight && open?.kind === "sign" && open.text === "(";
  }
}

const negated = (isNegated: boolean, of: Expression): Expression =>
  isNegated ? { kind: "not", of } : of;
