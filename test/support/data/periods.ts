/** Periods as two numbers: how a document's relates to one that is searched for, in plain arithmetic. */

import type { Period } from "../../../src/domain/extent/period.js";
import type { Select } from "../../../src/domain/search/period-clause.js";

/**
 * Whether a document's period relates to the one that was asked for. What a document says to the second ends with that
 * second's first millisecond for some and with its last for others: no period of a test may end between the two.
 */
export function relatesInTime(select: Select, document: Period, asked: Period): boolean {
  const { start = -Infinity, end = Infinity } = document;
  const { start: from = -Infinity, end: to = Infinity } = asked;
  if (select === "flexible") return start <= to && end >= from;
  if (select === "strict") return start >= from && end <= to;
  return start <= from && end >= to;
}
