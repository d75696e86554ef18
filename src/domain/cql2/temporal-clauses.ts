/** Clauses on instants and periods. A literal day or second is compared as a whole. */
import { solrDate } from "../extent/period.js";
import { allBut, allOf, anyOf, EVERYTHING, exists, inRange, NOTHING } from "../search/lucene.js";
import type { Comparator, Span, TemporalRelation } from "./expression.js";
import type { InstantField, Property } from "./property.js";

/** The first and the last instant that items show; those of documents beyond are shown as these. */
export const FIRST = Date.parse("0001-01-01T00:00:00Z");
export const LAST = Date.parse("9999-12-31T23:59:59Z");

type Order = Exclude<Comparator, "<>">;

/** Turns a clause of files into one of all files of their datasets. */
type OfDataset = (clause: string) => string;

/** Matches files whose instant is from one to another, both included. */
function within({ field, missing }: InstantField, from: number, to: number): string {
  if (to < FIRST || from > LAST || from > to) return NOTHING;
  const start = from <= FIRST ? "*" : solrDate(from);
  const end = to >= LAST ? "*" : solrDate(to);
  const isMissingWithin = missing !== undefined && missing >= from && missing <= to;
  if (start === "*" && end === "*") return isMissingWithin ? EVERYTHING : exists(field);
  const found = inRange(field, start, end);
  return isMissingWithin ? anyOf([found, allBut(exists(field))]) : found;
}

/** The same for the instant that their dataset shows: that of the first or of the last of its files. */
function shownWithin(instant: InstantField, from: number, to: number, of: OfDataset): string {
  if (instant.shown === undefined) return within(instant, from, to);
  if (to < FIRST || from > LAST || from > to) return NOTHING;
  const isFirst = instant.shown === "first";
  const some = isFirst ? within(instant, -Infinity, to) : within(instant, from, Infinity);
  const none = isFirst ? within(instant, -Infinity, from - 1) : within(instant, to + 1, Infinity);
  const clauses = [...(some === EVERYTHING ? [] : [of(some)])];
  if (none !== NOTHING) clauses.push(allBut(of(none)));
  return clauses.length === 0 ? EVERYTHING : allOf(clauses);
}

function compared(instant: InstantField, order: Order, { from, to }: Span, of: OfDataset): string {
  const ranges: Readonly<Record<Order, readonly [from: number, to: number]>> = {
    "=": [from, to],
    "<": [-Infinity, from - 1],
    "<=": [-Infinity, to],
    ">": [to + 1, Infinity],
    ">=": [from, Infinity],
  };
  return shownWithin(instant, ...ranges[order], of);
}

/** An instant or period compared with an instant: a period is equal to each instant in it. */
export function comparedInstant(
  { start, end }: Extract<Property, { kind: "instant" }>,
  order: Order,
  span: Span,
  of: OfDataset,
): string {
  if (start.field === end.field) return compared(start, order, span, of);
  if (order === "=") {
    return allOf([compared(start, "<=", span, of), compared(end, ">=", span, of)]);
  }
  return compared(order.startsWith("<") ? start : end, order, span, of);
}

/** A condition on the start or the end of the property and of the literal. */
type Condition = `${"start" | "end"} ${Order} ${"start" | "end"}`;

/** Conditions that all hold. */
const CONDITIONS: Readonly<Record<Exclude<TemporalRelation, "disjoint">, readonly Condition[]>> = {
  after: ["start > end"],
  before: ["end < start"],
  contains: ["start < start", "end > end"],
  during: ["start > start", "end < end"],
  equals: ["start = start", "end = end"],
  finishedBy: ["start < start", "end = end"],
  finishes: ["start > start", "end = end"],
  intersects: ["start <= end", "end >= start"],
  meets: ["end = start"],
  metBy: ["start = end"],
  overlappedBy: ["start > start", "start < end", "end > end"],
  overlaps: ["start < start", "end > start", "end < end"],
  startedBy: ["start = start", "end > end"],
  starts: ["start = start", "end < end"],
};

/** A period, by the fields of its ends, in a relation to a literal one. */
export function relatedPeriod(
  relation: TemporalRelation,
  start: InstantField,
  end: InstantField,
  [first, last]: readonly [Span, Span],
  of: OfDataset,
): string {
  if (relation === "disjoint") {
    return anyOf([compared(start, ">", last, of), compared(end, "<", first, of)]);
  }
  return allOf(
    CONDITIONS[relation].map((condition) => {
      const [mine, order, theirs] = condition.split(" ");
      const span = theirs === "start" ? first : last;
      return compared(mine === "start" ? start : end, order as Order, span, of);
    }),
  );
}
