/** Boxes as arcs on a circle: how a document's relates to a region's, in another way than the index works it out. */
import type { Select } from "../../../src/domain/search/period-clause.js";

export type Box = readonly [west: number, east: number, south: number, north: number];

const TURN = 3600;

/** An arc of the circle: where it starts, and how long it is. In tenths of a degree, exact. */
const arc = ([west, east]: Box) => {
  const [w, e] = [Math.round(west * 10), Math.round(east * 10)];
  const length = e >= w ? Math.min(e - w, TURN) : (((e - w) % TURN) + TURN) % TURN;
  return { start: ((w % TURN) + TURN) % TURN, length };
};
type Arc = ReturnType<typeof arc>;
const behind = (a: Arc, b: Arc) => (b.start - a.start + TURN) % TURN;
const covers = (a: Arc, b: Arc) =>
  a.length >= TURN || (b.length < TURN && behind(a, b) + b.length <= a.length);
const touches = (a: Arc, b: Arc) =>
  a.length >= TURN || b.length >= TURN || behind(a, b) <= a.length || behind(b, a) <= b.length;

/** Whether a document's box relates to that of a region as it was asked for. */
export function relates(select: Select, document: Box, region: Box): boolean {
  const [d, q] = [arc(document), arc(region)];
  const [, , south, north] = document;
  const [, , from, to] = region;
  if (select === "flexible") return touches(d, q) && south <= to && north >= from;
  if (select === "strict") return covers(q, d) && south >= from && north <= to;
  return covers(d, q) && south <= from && north >= to;
}
