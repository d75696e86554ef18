/** Reads CQL2 JSON. Source: OGC 21-065r2, 1.0, clause 9 and the schema cql2.json. */
import { readGeometry } from "../extent/geometry.js";
import { Unreadable } from "../extent/period.js";
import { isObject, type JsonObject } from "../text/json-object.js";
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

/** @throws Unreadable if it is not CQL2 JSON, or too long or too deep */
export function readJsonFilter(value: unknown): Expression {
  return new Reader().expression(value, 1);
}

class Reader {
  readonly #bounds = new Bounds();

  expression(value: unknown, depth: number): Expression {
    this.#bounds.enter(depth);
    if (typeof value === "boolean") return { kind: "constant", value };
    if (!isObject(value) || typeof value.op !== "string" || !Array.isArray(value.args)) {
      throw new Unreadable(`must consist of objects with "op" and "args"`);
    }
    const { op, args } = value as { op: string; args: readonly unknown[] };
    const needs = (count: number): void => {
      if (args.length !== count) {
        throw new Unreadable(`${JSON.stringify(op.slice(0, 40))} needs ${count} args`);
      }
    };
    const operands = (): readonly [Operand, Operand] => {
      needs(2);
      return [this.#operand(args[0], depth + 1), this.#operand(args[1], depth + 1)];
    };
    const name = op.toLowerCase();
    if (name === "and" || name === "or") {
      if (args.length === 0) throw new Unreadable(`${JSON.stringify(op)} needs args`);
      const of = args.map((one) => this.expression(one, depth + 1));
      return { kind: name === "and" ? "all" : "any", of };
    }
    if (name === "not") {
      needs(1);
      return { kind: "not", of: this.expression(args[0], depth + 1) };
    }
    // Clients of earlier drafts write `eq` and `neq`.
    const comparator = name === "!=" ? "<>" : name;
    if (isComparator(comparator)) return comparison(comparator, ...operands());
    if (name === "like") return likeness(...operands());
    if (name === "isnull") {
      needs(1);
      return nullness(this.#operand(args[0], depth + 1));
    }
    if (name === "in") {
      const [value, list] = operands();
      if (list.kind !== "list") throw new Unreadable(`"in" needs a property and a list`);
      return membership(value, list.of);
    }
    if (name === "between") return this.#between(args, depth);
    const ofTwo = FUNCTIONS.get(name);
    if (ofTwo !== undefined) return ofTwo(...operands());
    throw new Unreadable(
      `has an operator that is not known here: ${JSON.stringify(op.slice(0, 40))}`,
    );
  }

  /** Three args; some clients put both bounds into a list. */
  #between(args: readonly unknown[], depth: number): Expression {
    const [value, first, ...more] = args;
    const ends = Array.isArray(first) && more.length === 0 ? first : [first, ...more];
    if (args.length < 2 || ends.length !== 2) throw new Unreadable(`"between" needs 3 args`);
    const [low, high] = ends.map((one) => this.#operand(one, depth + 1));
    if (low === undefined || high === undefined) throw new Unreadable(`"between" needs 3 args`);
    return between(this.#operand(value, depth + 1), low, high);
  }

  #operand(value: unknown, depth: number): Operand {
    if (typeof value === "string" || typeof value === "boolean") return this.#scalar(value);
    if (typeof value === "number" && Number.isFinite(value)) return this.#scalar(value);
    this.#bounds.checkDepth(depth);
    if (Array.isArray(value)) {
      return { kind: "list", of: value.map((one) => this.#operand(one, depth + 1)) };
    }
    if (!isObject(value)) throw new Unreadable(`has ${JSON.stringify(value)} as a value`);
    if (typeof value.property === "string") return { kind: "property", name: value.property };
    if (typeof value.date === "string") return { kind: "span", span: readDay(value.date) };
    if (typeof value.timestamp === "string") {
      return { kind: "span", span: readTimestamp(value.timestamp) };
    }
    if (Array.isArray(value.interval)) {
      const ends = value.interval.map((one: unknown) => this.#operand(one, depth + 1));
      const [start, end, ...more] = ends;
      if (start === undefined || end === undefined || more.length > 0) {
        throw new Unreadable("has an interval without two ends");
      }
      return { kind: "interval", ends: [start, end] };
    }
    // GeoJSON geometries may have a bbox beside their coordinates.
    if (typeof value.type === "string") return { kind: "geometry", geometry: readGeometry(value) };
    if (Array.isArray(value.bbox)) {
      return { kind: "geometry", geometry: readGeometry({ type: "bbox", bbox: value.bbox }) };
    }
    if (value.op === "casei" && Array.isArray(value.args) && value.args.length === 1) {
      return { kind: "folded", of: this.#operand(value.args[0], depth + 1) };
    }
    throw new Unreadable(`has a value that is not known here: ${shown(value)}`);
  }

  #scalar(value: string | number | boolean): Operand {
    this.#bounds.addValue();
    return { kind: "scalar", value };
  }
}

const shown = (value: JsonObject): string => JSON.stringify(Object.keys(value)).slice(0, 80);
