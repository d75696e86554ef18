/** Writes the table of costs. */
import type { Row } from "./requests.js";

export interface CostRow {
  readonly key: string;
  /** Of a request, or of one of its lines or items. */
  readonly microseconds: number;
  /** Times the floor. */
  readonly ratio: number;
}

/** The lowest cost of each row: of its floor, the service and its Solr, and another checkout's service. */
export type Lowest = Readonly<Record<"floor" | "service" | "solr" | "other", Map<string, number>>>;

/** @returns the rows of the service */
export function writeTable(
  rows: readonly Row[],
  { floor, service, solr, other }: Lowest,
): CostRow[] {
  const head = ["request", "us", "Solr, us", "floor", "us", "ratio"];
  if (other.size > 0) head.push("other, us");
  const lines = [head, head.map((_, i) => (i === 0 || i === 3 ? "---" : "---:"))];
  const shown = String;
  const all = rows.map(({ name, floorName }) => {
    const cost = service.get(name) ?? Number.NaN;
    const least = floor.get(name) ?? Number.NaN;
    const ratio = Number((cost / least).toPrecision(2));
    const theirs = other.get(name);
    const behind = rounded(solr.get(name) ?? Number.NaN);
    const cells = [name, rounded(cost), behind, floorName, rounded(least), shown(ratio)];
    lines.push(theirs === undefined ? cells : [...cells, rounded(theirs)]);
    return { key: name, microseconds: Number(rounded(cost)), ratio };
  });
  for (const cells of lines) process.stdout.write(`| ${cells.join(" | ")} |\n`);
  return all;
}

const rounded = (microseconds: number): string =>
  microseconds < 10 ? microseconds.toFixed(1) : String(Math.round(microseconds));
