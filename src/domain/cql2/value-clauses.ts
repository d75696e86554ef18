/** Clauses of values that a filter selects by tests on this side: patterns, order and regions. They are limited in number. */
import { boxOfEnvelope, intersectsBox } from "../extent/geometry.js";
import { Unreadable } from "../extent/period.js";
import { anyOf, EVERYTHING, exactly, exists, hasValue, NOTHING } from "../search/lucene.js";
import { lowerCase } from "../text/case-folding.js";
import type { Comparator, Expression, PropertyName } from "./expression.js";
import type { FilterContext, Property } from "./property.js";

/** Work of one filter, which other requests wait for: characters that are compared, and tests of a position with a box. */
const MAX_WORK = 20_000_000;
/** Characters that are compared in the time of one test of a position. */
const WORK_OF_TEST = 4;

/** Values, of texts and of boxes, that a filter may match together. */
const MAX_MATCHED = 50_000;

/** The clauses of a comparison: where it is true, and where the property has a value. */
export interface Verdict {
  readonly isTrue: string;
  readonly isKnown: string;
}

/** A comparison with a property that no file has. */
export const UNKNOWN: Verdict = { isTrue: NOTHING, isKnown: NOTHING };
/** A comparison with the same result for all files. */
export const always = (truth: boolean): Verdict => ({
  isTrue: truth ? EVERYTHING : NOTHING,
  isKnown: EVERYTHING,
});

/** Clauses of one filter. */
export class ValueClauses {
  readonly #context: Pick<FilterContext, "values" | "boxes">;
  #work = 0;
  #matched = 0;

  constructor(context: Pick<FilterContext, "values" | "boxes">) {
    this.#context = context;
  }

  /** @throws Unreadable if comparing takes too long */
  spend(work: number): void {
    this.#work += work;
    if (this.#work > MAX_WORK) {
      throw new Unreadable(
        "compares too many values of these data by patterns, order or regions: use = and in, or fewer of them",
      );
    }
  }

  /** @throws Unreadable if a filter matches too many values for one query of Solr */
  #count(values: readonly string[]): void {
    this.#matched += values.length;
    if (this.#matched > MAX_MATCHED) {
      throw new Unreadable(`matches more than ${MAX_MATCHED} values by patterns, order or regions`);
    }
  }

  ofText(field: string, values: readonly string[]): Verdict {
    const texts = [...new Set(values)].filter((value) => value !== "");
    this.#count(texts);
    const isTrue = texts.length === 0 ? NOTHING : hasValue(field, texts);
    return { isTrue, isKnown: exists(field) };
  }

  /** The files whose value passes a comparison with another one. */
  comparedText(
    field: string,
    isFolded: boolean,
    comparator: Exclude<Comparator, "<>">,
    value: string,
  ): Verdict {
    if (comparator === "=") {
      if (!isFolded) return this.ofText(field, [value]);
      const isTrue = value === lowerCase(value) && value !== "" ? exactly(field, value) : NOTHING;
      return { isTrue, isKnown: exists(field) };
    }
    const test = {
      "<": (text: string) => text < value,
      "<=": (text: string) => text <= value,
      ">": (text: string) => text > value,
      ">=": (text: string) => text >= value,
    }[comparator];
    return this.among(field, isFolded, test);
  }

  /** The files with a value that passes a test. */
  among(field: string, isFolded: boolean, test: (text: string) => boolean): Verdict {
    const fold = isFolded ? lowerCase : (text: string) => text;
    const found = this.#context.values(field).filter((value) => {
      this.spend(value.length + 1);
      return test(fold(value));
    });
    return this.ofText(field, found);
  }

  /** The files whose box intersects a geometry. */
  within(geometry: Extract<Expression, { kind: "spatial" }>["geometry"]): string {
    const { points, lines, polygons } = geometry;
    const rings = [...lines, ...polygons.flat()];
    const positions = rings.reduce((sum, ring) => sum + ring.length, points.length);
    this.spend(WORK_OF_TEST * positions * this.#context.boxes.length);
    const found = this.#context.boxes.filter((text) => {
      const box = boxOfEnvelope(text);
      return box !== undefined && intersectsBox(geometry, box);
    });
    this.#count(found);
    return found.length === 0 ? NOTHING : hasValue("bbox", found, false);
  }
}

/** The items with a value that passes a test. */
export function derived(
  { property, isFolded }: PropertyName,
  { known, values }: Extract<Property, { kind: "derived" }>,
  test: (text: string) => boolean,
): Verdict {
  if (values === undefined) throw new Unreadable(`${property} can be compared with null only`);
  const fold = isFolded ? lowerCase : (text: string) => text;
  const clauses = [...values].flatMap(([text, clause]) => (test(fold(text)) ? [clause] : []));
  return { isTrue: clauses.length === 0 ? NOTHING : anyOf(clauses), isKnown: known };
}
