/** Constraints of a search for people. */
import { writtenBox } from "../place/region/box.js";
import { writtenPeriod } from "../service/dates.js";
import { words } from "../words/search.js";
import type { Constraint } from "./constraints.js";

/** The values of a constraint in words, without the name of its facet. */
export function valueWords({ kind, value }: Pick<Constraint, "kind" | "value">): string {
  if (kind === "period") return writtenPeriod(value);
  return kind === "region" ? writtenBox(value) : value;
}

/** A constraint with its name. */
export function constraintWords(constraint: Constraint): string {
  const { kind, name, isExcluded } = constraint;
  const value = valueWords(constraint);
  if (kind === "period") return words.period(value, isExcluded);
  if (kind === "region") return words.region(value, isExcluded);
  if (kind === "setting") return words.setting(name, value);
  return words.value(name, value, isExcluded);
}
