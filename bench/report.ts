/** Formats measured ratios and whether they meet their targets. */

export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly solr: string;
  readonly ratio: string;
  readonly target: string;
  /** Undefined without a target. */
  readonly met: boolean | undefined;
}

/** The median; for an even number of values the upper one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const milliseconds = (value: number): string =>
  value < 100 ? `${value.toFixed(1)} ms` : `${(value / 1000).toFixed(2)} s`;

export const megabytes = (kilobytes: number): string => `${(kilobytes / 1024).toFixed(0)} MB`;

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`;

/** A row without a compared system. */
export function alone(what: string, ours: string, target: string, met: boolean | undefined): Row {
  return { what, ours, solr: "", ratio: "", target, met };
}

const VERDICT = new Map([
  [true, "met"],
  [false, "MISSED"],
  [undefined, "-"],
]);

/**
 * A Markdown table with aligned columns.
 *
 * @param other name of the compared system
 */
export function table(rows: readonly Row[], other = "Solr"): string {
  const head = ["what", "ours", other, "ratio", "target", ""];
  const body = rows.map(({ what, ours, solr, ratio, target, met }) => {
    return [what, ours, solr, ratio, target, VERDICT.get(met) ?? "-"];
  });
  const widths = head.map((_, i) =>
    Math.max(...[head, ...body].map((cells) => cells[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}
