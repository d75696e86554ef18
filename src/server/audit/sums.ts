/** Sums of the statistics and audit files of all workers and instances over some days. */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { dayInName } from "./days.js";

export interface Period {
  /** Both are days such as 2026-11-22. */
  readonly from: string;
  readonly to: string;
}

interface DaySum {
  searches: number;
  nothing: number;
  reads: number;
  bytes: number;
  /** Accounts with a recorded event. */
  readonly accounts: Set<string>;
}

export interface ReadSum {
  requests: number;
  bytes: number;
}

/** Sums by day, value, search and dataset, in order of appearance. */
export class Sums {
  readonly days = new Map<string, DaySum>();
  /** By flavour, key and value. */
  readonly values = new Map<string, number>();
  /** By flavour and search. */
  readonly nothing = new Map<string, number>();
  /** By identifier. */
  readonly reads = new Map<string, ReadSum>();
  /** Lines that were lost while they were written. */
  lost = 0;
  files = 0;

  async add(folder: string, { from, to }: Period): Promise<void> {
    const names = (await readdir(folder)).filter((name) => {
      const day = dayInName(name);
      return day !== undefined && day >= from && day <= to;
    });
    for (const name of names.sort()) {
      this.files += 1;
      const isAudit = name.startsWith("audit-");
      const day = this.#day(dayInName(name) ?? "");
      for await (const line of linesOf(join(folder, name))) {
        if (isAudit) this.#addEvent(line, day);
        else this.#addCount(line, day);
      }
    }
  }

  mostRead(top: number): readonly (ReadSum & { readonly id: string })[] {
    const sorted = [...this.reads].sort(([, a], [, b]) => b.bytes - a.bytes);
    return sorted.slice(0, top).map(([id, sum]) => ({ id, ...sum }));
  }

  #day(day: string): DaySum {
    let sum = this.days.get(day);
    if (sum === undefined) {
      sum = { searches: 0, nothing: 0, reads: 0, bytes: 0, accounts: new Set() };
      this.days.set(day, sum);
    }
    return sum;
  }

  #addEvent({ subject, issuer, lost }: Line, day: DaySum): void {
    this.lost += numberOf(lost);
    if (typeof subject === "string") day.accounts.add(`${issuer} ${subject}`);
  }

  #addCount(line: Line, day: DaySum): void {
    const { kind, flavour, key, value, search, dataset } = line;
    const count = numberOf(line.count);
    this.lost += numberOf(line.lost);
    if (kind === "search") {
      day.searches += count;
      day.nothing += numberOf(line.nothing);
    } else if (kind === "value") add(this.values, [flavour, key, value], count);
    else if (kind === "nothing") add(this.nothing, [flavour, search], count);
    else if (kind === "read") {
      const bytes = numberOf(line.bytes);
      day.reads += count;
      day.bytes += bytes;
      const id = String(dataset);
      const sum = this.reads.get(id) ?? { requests: 0, bytes: 0 };
      this.reads.set(id, { requests: sum.requests + count, bytes: sum.bytes + bytes });
    }
  }
}

type Line = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;

function add(sums: Map<string, number>, parts: readonly unknown[], count: number): void {
  const key = JSON.stringify(parts.map(String));
  sums.set(key, (sums.get(key) ?? 0) + count);
}

/** The complete lines of a file. */
async function* linesOf(path: string): AsyncGenerator<Line> {
  for await (const text of createInterface({ input: createReadStream(path) })) {
    try {
      const line: unknown = JSON.parse(text);
      if (typeof line === "object" && line !== null) yield line as Line;
    } catch {
      // Cut off by a full disk; the complete line follows it.
    }
  }
}
