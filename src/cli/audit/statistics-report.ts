/** Prints the statistics as tables or as JSON. */
import type { Period, ReadSum, Sums } from "../../server/audit/sums.js";
import { count, number, size } from "../terminal/plurals.js";
import { printLine } from "../terminal/print-line.js";
import { UNBOUNDED } from "../terminal/terminal.js";
import { table as textTable } from "../terminal/text-table.js";

interface Shown {
  readonly period: Period;
  /** Data sets, most read first. */
  readonly read: readonly (ReadSum & {
    readonly id: string;
    /** Undefined if it is unknown or not public. */
    readonly name: string | undefined;
  })[];
  /** Maximal number of rows of each table. */
  readonly top: number;
}

type Report = (sums: Sums, shown: Shown) => Promise<void>;

function daysOf({ days }: Sums) {
  const all = new Set([...days.values()].flatMap(({ accounts }) => [...accounts]));
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = sorted.map(([day, { accounts, ...sum }]) => ({
    day,
    ...sum,
    accounts: accounts.size,
  }));
  return { days: shown, accounts: all.size };
}

/** The largest counts first, with the key split into its parts. */
const largest = (counts: ReadonlyMap<string, number>, top: number) =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, top)
    .map(([key, count]) => ({ parts: JSON.parse(key) as string[], count }));

export const jsonStatistics: Report = (sums, shown) => {
  const { days, accounts } = daysOf(sums);
  const searched = largest(sums.values, shown.top).map(
    ({ parts: [flavour, key, value], count }) => ({ flavour, key, value, count }),
  );
  const nothing = largest(sums.nothing, shown.top).map(({ parts: [flavour, search], count }) => ({
    flavour,
    search,
    count,
  }));
  const read = shown.read.map(({ id, name, requests, bytes }) => ({ id, name, requests, bytes }));
  const all = { ...shown.period, accounts, lost: sums.lost, days, searched, nothing, read };
  return printLine(JSON.stringify(all, null, 2));
};

export const textStatistics: Report = async (sums, shown) => {
  const { days, accounts } = daysOf(sums);
  const { from, to } = shown.period;
  if (sums.files === 0) {
    await printLine(`Nothing was recorded from ${from} to ${to}.`);
    return;
  }
  const dayRows = days.map(({ day, searches, nothing, reads, bytes, accounts: who }) => [
    day,
    number(searches),
    number(nothing),
    number(reads),
    size(bytes),
    number(who),
  ]);
  const valueRows = largest(sums.values, shown.top).map(
    ({ parts: [flavour = "", key, value], count }) => [number(count), flavour, `${key}=${value}`],
  );
  const nothingRows = largest(sums.nothing, shown.top).map(
    ({ parts: [flavour = "", search], count }) => [
      number(count),
      flavour,
      search || "(nothing in particular)",
    ],
  );
  const readRows = shown.read.map(({ id, name, requests, bytes }) => [
    number(requests),
    size(bytes),
    name ?? id,
  ]);
  const blocks = [
    `From ${from} to ${to}; ${count(accounts, "account")} (days of UTC).`,
    table(["day", "searches", "found nothing", "reads", "bytes", "accounts"], dayRows),
    `Searched most:\n${table(["times", "flavour", "what"], valueRows)}`,
    `Found nothing:\n${table(["times", "flavour", "search"], nothingRows)}`,
    `Read most:\n${table(["requests", "bytes", "data set"], readRows)}`,
    ...(sums.lost > 0 ? [`${count(sums.lost, "line")} lost, and not in it.`] : []),
  ];
  await printLine(blocks.join("\n\n"));
};

/** A number, with or without a unit. */
const NUMBER = /^[\d,.]+(?: [kMGTP]?B)?$/;

/** Aligns columns of numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "  (none)";
  const columns = head.map((name, column) => ({
    name,
    isNumber: rows.every((row) => NUMBER.test(row[column] ?? "")),
  }));
  return textTable(columns, rows, UNBOUNDED).replace(/^/gm, "  ");
}
