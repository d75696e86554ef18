/** Requirements that are every combination of some values. Pure. */
import { EMPTY_NEED, type Form, isFilled, isWritten, type NeedRow } from "./needs.js";

/** Values of each facet, and the period that each requirement has. */
export interface Combination {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly from: string;
  readonly to: string;
}

/** @returns undefined if the requirements are something else; no values if none is filled in */
export function combinationOf({ rows }: Form): Combination | undefined {
  const values = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  const [first] = rows;
  if (first === undefined || isWritten(first)) return undefined;
  const { from, to } = first;
  for (const row of rows) {
    if (isWritten(row) || row.on.length > 0 || row.from !== from || row.to !== to) return undefined;
    const pairs = row.pairs.filter(isFilled);
    if (pairs.length === 0) continue;
    for (const { name, value } of pairs) {
      values.set(name, [...new Set([...(values.get(name) ?? []), value])]);
    }
    seen.add(JSON.stringify(pairs.map(({ name, value }) => [name, value]).sort()));
    // A facet twice in one requirement asks for files with both values.
    if (new Set(pairs.map(({ name }) => name)).size !== pairs.length) return undefined;
  }
  const count = [...values.values()].reduce((product, { length }) => product * length, 1);
  const isAll = values.size === 0 || (seen.size === count && allHave(seen, values.size));
  return isAll ? { values, from, to } : undefined;
}

const allHave = (texts: ReadonlySet<string>, size: number): boolean =>
  [...texts].every((text) => (JSON.parse(text) as unknown[]).length === size);

/** A requirement for each combination; an empty one if there are no values. */
export function rowsOf({ values, from, to }: Combination): NeedRow[] {
  let rows: NeedRow[] = [{ ...EMPTY_NEED, pairs: [], from, to }];
  for (const [name, some] of values) {
    if (some.length === 0) continue;
    rows = rows.flatMap((row) =>
      some.map((value) => ({ ...row, pairs: [...row.pairs, { name, value }] })),
    );
  }
  return rows.map((row) => (row.pairs.length > 0 ? row : { ...row, pairs: EMPTY_NEED.pairs }));
}
