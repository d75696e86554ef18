/** Formats coverage as a matrix, and complete groups with what others lack, as text. Pure. */
import { count, number, size } from "../terminal/plurals.js";
import { printable } from "../terminal/printable.js";
import type { Look } from "../terminal/terminal.js";
import { GAP, table, widthOf } from "../terminal/text-table.js";
import type { Complete, Coverage } from "./reports.js";

const NOTHING = "-";

/** As many columns as fit side by side; the others follow below, again with the row names. */
export function coverageReport(coverage: Coverage, look: Look): string {
  const { rows, columns, cells, row_values, column_values, values, total_count } = coverage;
  const found = `${count(total_count, "file")}${knownOf(coverage)}.`;
  if (values.length === 0) return found;
  const show = cells === "bytes" ? size : number;
  const shown = new Map(
    values.map(([row, column, value = 0]) => [`${row} ${column}`, show(value)]),
  );
  const cell = (row: number, column: number): string => shown.get(`${row} ${column}`) ?? NOTHING;
  const corner = `${rows} \\ ${columns}`;
  const first = Math.max(...[corner, ...row_values].map((name) => widthOf(printable(name))));
  const widths = column_values.map((name, column) =>
    Math.max(widthOf(printable(name)), ...row_values.map((_, row) => cell(row, column).length)),
  );
  const blocks: string[] = [];
  for (let from = 0; from < widths.length; ) {
    let to = from;
    let used = first;
    do {
      used += GAP + (widths[to] ?? 0);
      to += 1;
    } while (to < widths.length && used + GAP + (widths[to] ?? 0) <= look.width);
    const shownNames = column_values.slice(from, to);
    const head = [{ name: corner }, ...shownNames.map((name) => ({ name, isNumber: true }))];
    const body = row_values.map((name, row) => [
      name,
      ...shownNames.map((_, column) => cell(row, from + column)),
    ]);
    blocks.push(table(head, body, look));
    from = to;
  }
  return `${blocks.join("\n\n")}\n${found}`;
}

const knownOf = ({ known_files: known, total_count: total, cells }: Coverage): string =>
  known === undefined || known === total ? "" : `, of ${number(known)} of which ${cells} are known`;

export function completeReport(complete: Complete, look: Look): string {
  const { group_by, needs, group_count, complete_count, near_misses: near } = complete;
  const columns = group_by.map((name) => ({ name }));
  const cellsOf = (group: Readonly<Record<string, string>>): string[] =>
    group_by.map((name) => group[name] ?? "");
  const blocks = [
    `${number(complete_count)} of ${count(group_count, "group")} ${complete_count === 1 ? "is" : "are"} complete.`,
  ];
  if (complete.complete.length > 0)
    blocks.push(table(columns, complete.complete.map(cellsOf), look));
  if (near.length > 0) {
    const rows = near.map(({ group, missing }) => {
      const lacks = missing.map(({ need, gaps }) => (needs[need]?.need ?? "") + gapsOf(gaps));
      return [...cellsOf(group), lacks.join(" and ")];
    });
    const more = group_count - complete_count - near.length;
    const rest =
      more > 0
        ? `\n${number(more)} more lack as much or more; --near says how many are shown.`
        : "";
    blocks.push(table([...columns, { name: "lacks" }], rows, look) + rest);
  }
  return blocks.join("\n\n");
}

type Gaps = Complete["near_misses"][number]["missing"][number]["gaps"];

/** Maximal number of gaps printed for a group. */
const MAX_GAPS = 5;

function gapsOf(gaps: Gaps): string {
  if (gaps === undefined || gaps.length === 0) return "";
  const shown = gaps
    .slice(0, MAX_GAPS)
    .map(({ from, to }) => `${from?.slice(0, 10) ?? ""} to ${to?.slice(0, 10) ?? ""}`.trim());
  const more = gaps.length > shown.length ? ` and ${number(gaps.length - shown.length)} more` : "";
  return ` (${shown.join(", ")}${more})`;
}
