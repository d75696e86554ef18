/**
 * Turns a filter into Solr clauses.
 *
 * CQL2 has three truth values. A part of a filter becomes the clause of the files for which it is true, or of those for
 * which it is false; a file without a value is in neither, so `not (x = 1)` does not find it.
 */
import { Unreadable } from "../extent/period.js";
import { allBut, allOf, anyOf, EVERYTHING, exactly, exists, NOTHING } from "../search/lucene.js";
import { truthOf } from "../vocabulary/query-words.js";
import type { Comparator, Expression, PropertyName, Scalar, Span } from "./expression.js";
import { readInstant } from "./instants.js";
import { matcher } from "./like.js";
import type { FilterContext } from "./property.js";
import { comparedInstant, relatedPeriod } from "./temporal-clauses.js";
import { always, derived, UNKNOWN, ValueClauses, type Verdict } from "./value-clauses.js";

/** The clause of the files for which the filter is true. */
export const filterClause = (expression: Expression, context: FilterContext): string =>
  new Compiler(context).clause(expression, true);

type Comparison = Exclude<Expression, { kind: "all" | "any" | "not" }>;

class Compiler {
  readonly #context: FilterContext;
  readonly #values: ValueClauses;
  readonly #ofDataset = (clause: string): string => this.#context.ofDataset(clause);

  constructor(context: FilterContext) {
    this.#context = context;
    this.#values = new ValueClauses(context);
  }

  clause(expression: Expression, wanted: boolean): string {
    switch (expression.kind) {
      case "not":
        return this.clause(expression.of, !wanted);
      case "all":
      case "any": {
        const clauses = expression.of.map((one) => this.clause(one, wanted));
        return (expression.kind === "all") === wanted ? allOf(clauses) : anyOf(clauses);
      }
      default: {
        const { isTrue, isKnown } = this.#ofOwners(expression, this.#verdict(expression));
        if (wanted) return isTrue;
        return isKnown === EVERYTHING ? allBut(isTrue) : allOf([isKnown, allBut(isTrue)]);
      }
    }
  }

  /** Makes a comparison unknown for items that lack its property. */
  #ofOwners(expression: Comparison, { isTrue, isKnown }: Verdict): Verdict {
    if (!("name" in expression) || expression.kind === "null") return { isTrue, isKnown };
    const { name } = expression;
    const property = this.#context.property(typeof name === "string" ? name : name.property);
    const owners = property.kind === "text" ? property.owners?.clause : undefined;
    if (owners === undefined) return { isTrue, isKnown };
    return { isTrue: allOf([owners, isTrue]), isKnown: allOf([owners, isKnown]) };
  }

  #verdict(expression: Comparison): Verdict {
    switch (expression.kind) {
      case "constant":
        return always(expression.value);
      case "null":
        return { isTrue: allBut(this.#known(expression.name)), isKnown: EVERYTHING };
      case "compare": {
        const { name, comparator, value } = expression;
        return this.#compared(name, comparator, value);
      }
      case "between": {
        const { name, low, high } = expression;
        const property = this.#context.property(name.property);
        if (property.kind === "text") {
          // Both bounds must hold for the same value of a list.
          const [least, most] = [textOf(low), textOf(high)];
          const isBetween = (text: string): boolean => text >= least && text <= most;
          return this.#values.among(property.field, name.isFolded, isBetween);
        }
        const [from, to] = [this.#compared(name, ">=", low), this.#compared(name, "<=", high)];
        if (from.isKnown === NOTHING) return UNKNOWN;
        return { ...from, isTrue: allOf([from.isTrue, to.isTrue]) };
      }
      case "in": {
        const { name, values } = expression;
        const property = this.#context.property(name.property);
        if (property.kind === "text" && !name.isFolded) {
          return this.#values.ofText(property.field, values.map(textOf));
        }
        if (property.kind === "id") return this.#ofIds(name, values.map(textOf));
        const verdicts = values.map((value) => this.#compared(name, "=", value));
        const [first = UNKNOWN] = verdicts;
        return { ...first, isTrue: anyOf(verdicts.map(({ isTrue }) => isTrue)) };
      }
      case "like": {
        const { name, pattern } = expression;
        const property = this.#context.property(name.property);
        if (property.kind === "unknown") return UNKNOWN;
        const matches = matcher(pattern, (steps) => this.#values.spend(steps));
        if (property.kind === "derived") return derived(name, property, matches);
        if (property.kind !== "text") {
          throw new Unreadable(`${name.property} cannot be in a like; texts such as title can`);
        }
        return this.#values.among(property.field, name.isFolded, matches);
      }
      case "array":
        return this.#arrays(expression);
      case "spatial":
        return this.#spatial(expression);
      case "temporal":
        return this.#temporal(expression);
    }
  }

  /** A query of the items in which a property has a value. */
  #known(name: string): string {
    const property = this.#context.property(name);
    switch (property.kind) {
      case "unknown":
        return NOTHING;
      case "text": {
        const { field, owners } = property;
        return owners === undefined ? exists(field) : allOf([owners.clause, exists(field)]);
      }
      case "geometry":
        return exists("bbox");
      case "derived":
        return property.known;
      case "instant":
        return property.start.missing === undefined ? exists(property.start.field) : EVERYTHING;
      default:
        return EVERYTHING;
    }
  }

  #compared(name: PropertyName, comparator: Comparator, value: Scalar | Span): Verdict {
    const property = this.#context.property(name.property);
    if (comparator === "<>") {
      const { isTrue, isKnown } = this.#compared(name, "=", value);
      return { isTrue: allOf([isKnown, allBut(isTrue)]), isKnown };
    }
    switch (property.kind) {
      case "unknown":
        return UNKNOWN;
      case "id":
        if (comparator !== "=") {
          throw new Unreadable(`${name.property} can be compared by =, <> and in only`);
        }
        return this.#ofIds(name, [textOf(value)]);
      case "text":
        return this.#values.comparedText(property.field, name.isFolded, comparator, textOf(value));
      case "flag": {
        const flag = typeof value === "object" ? undefined : truthOf(String(value));
        if (flag === undefined || comparator !== "=") {
          throw new Unreadable(`${name.property} can be compared with true and false by = only`);
        }
        const { field, value: constant } = property;
        if (field === undefined) return always(constant === flag);
        const isSet = exactly(field, "true");
        return { isTrue: flag ? isSet : allBut(isSet), isKnown: EVERYTHING };
      }
      case "instant": {
        const isTrue = comparedInstant(
          property,
          comparator,
          instantOf(name.property, value),
          this.#ofDataset,
        );
        return { isTrue, isKnown: this.#known(name.property) };
      }
      case "derived": {
        if (comparator !== "=") {
          throw new Unreadable(`${name.property} can be compared by =, <>, in and like only`);
        }
        const wanted = textOf(value);
        return derived(name, property, (text) => text === wanted);
      }
      case "geometry":
        throw new Unreadable(`${name.property} can be in s_intersects only`);
    }
  }

  #ofIds(name: PropertyName, ids: readonly string[]): Verdict {
    if (name.isFolded) {
      throw new Unreadable(`${name.property} cannot be in casei; texts such as title can`);
    }
    return { isTrue: this.#context.identified(ids), isKnown: EVERYTHING };
  }

  #arrays({ name, relation, values }: Extract<Expression, { kind: "array" }>): Verdict {
    const property = this.#context.property(name);
    if (property.kind === "unknown") return UNKNOWN;
    if (property.kind !== "text") throw new Unreadable(`${name} is not a list of texts`);
    const { field } = property;
    const texts = values.map(String);
    const isKnown = exists(field);
    const each = texts.map((text) => this.#values.ofText(field, [text]).isTrue);
    const hasAll = each.length === 0 ? isKnown : allOf([isKnown, ...each]);
    if (relation === "contains") return { isTrue: hasAll, isKnown };
    if (relation === "overlaps") return this.#values.ofText(field, texts);
    const others = this.#values.among(field, false, (text) => !texts.includes(text)).isTrue;
    const hasOnly = allOf([isKnown, allBut(others)]);
    return { isTrue: relation === "containedBy" ? hasOnly : allOf([hasAll, hasOnly]), isKnown };
  }

  #spatial({ name, geometry }: Extract<Expression, { kind: "spatial" }>): Verdict {
    const property = this.#context.property(name);
    if (property.kind === "unknown") return UNKNOWN;
    if (property.kind !== "geometry") throw new Unreadable(`${name} is not a geometry`);
    return { isTrue: this.#values.within(geometry), isKnown: exists("bbox") };
  }

  #temporal({ relation, names, span }: Extract<Expression, { kind: "temporal" }>): Verdict {
    const [start, end] = names.map((name) => this.#context.property(name));
    if (start?.kind === "unknown" || end?.kind === "unknown") return UNKNOWN;
    if (start?.kind !== "instant" || end?.kind !== "instant") {
      throw new Unreadable(`${names.join(", ")}: neither a moment nor a period`);
    }
    const isTrue = relatedPeriod(relation, start.start, end.end, span, this.#ofDataset);
    return { isTrue, isKnown: allOf(names.map((name) => this.#known(name))) };
  }
}

function textOf(value: Scalar | Span): string {
  if (typeof value === "object") throw new Unreadable("compares a text with a moment");
  return String(value);
}

function instantOf(name: string, value: Scalar | Span): Span {
  if (typeof value === "object") return value;
  if (typeof value === "string") return readInstant(value);
  throw new Unreadable(`compares ${name}, which is a moment, with ${value}`);
}
