/** Writes the table of costs. */
import type { Row } from "./requests.js";

export interface CostRow {
  readonly key: string;
  /** Of a request, or of one of its lines or items. */
  readonly microseconds: number;
  /** Times the floor. */
  readonly ratio: number;
}

type Costs = ReadonlyMap<string, number>;

/** @returns the rows of the service */
export function writeTable(
  rows: readonly Row[],
  { floor, service, other }: Readonly<Record<"floor" | "service" | "other", Costs>>,
): CostRow[] {
  const head = ["request", "us", "floor", "us", "ratio", ...(other.size > 0 ? ["other, us"] : [])];
  const lines = [head, head.map((_, i) => (i === 0 || i === 2 ? "---" : "---:"))];
  const shown = String;
  const all = rows.map(({ name, floorName }) => {
    const cost = service.get(name) ?? Number.NaN;
    const least = floor.get(name) ?? Number.NaN;
    const ratio = Number((cost / least).toPrecision(2));
    const theirs = other.get(name);
    const cells = [name, rounded(cost), floorName, rounded(least), shown(ratio)];
    lines.push(theirs === undefined ? cells : [...cells, rounded(theirs)]);
    return { key: name, microseconds: Number(rounded(cost)), ratio };
  });
  for (const cells of lines) process.stdout.write(`| ${cells.join(" | ")} |\n`);
  return all;
}

const rounded = (microseconds: number): string =>
  microseconds < 10 ? microseconds.toFixed(1) : String(Math.round(microseconds));
