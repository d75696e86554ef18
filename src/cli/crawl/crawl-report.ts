/** Reports what a crawl leaves out and why, one line each, and its progress. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Counts } from "../../catalogue/crawl/crawl.js";
import type { Report } from "../../catalogue/crawl/tree/found-file.js";
import { escapeUnseen } from "../../domain/text/invisible-characters.js";
import { refusalOf, UserError } from "../../platform/errors.js";
import { count, number } from "../terminal/plurals.js";
import { inOneLine, type Progress } from "../terminal/progress.js";

class UnwritableReport extends UserError {
  override readonly name = "UnwritableReport";
}

/** Lines `<path>: refused: <reason>` and `<path>: note: <text>`. */
export class CrawlReport implements Report {
  refused = 0;
  notes = 0;
  readonly #progress: Progress;
  readonly #file: { readonly path: string; readonly descriptor: number } | undefined;

  /** @param path report file; standard error by default */
  constructor(progress: Progress, path: string | undefined) {
    this.#progress = progress;
    if (path === undefined) return;
    try {
      this.#file = { path, descriptor: openSync(path, "w") };
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  refuse(path: string, reason: string): void {
    this.refused += 1;
    this.#say(`${path}: refused: ${inOneLine(reason)}`);
  }

  note(path: string, text: string): void {
    this.notes += 1;
    this.#say(`${path}: note: ${inOneLine(text)}`);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
  }

  #say(text: string): void {
    const line = escapeUnseen(text);
    if (this.#file === undefined) this.#progress.note(line);
    else {
      try {
        writeSync(this.#file.descriptor, `${line}\n`);
      } catch (error) {
        throw unwritable(this.#file.path, error);
      }
    }
  }
}

function unwritable(path: string, cause: unknown): UnwritableReport {
  return new UnwritableReport(`${path} cannot be written (${refusalOf(cause)}).`, { cause });
}

/** The progress of a crawl. The remaining time is known only once all files have been found. */
export function progressText(counts: Counts, seconds: number): string {
  const { found, fresh, changed, unsummed, again, read, isWalked } = counts;
  const all = fresh + changed + unsummed + again;
  const rate = seconds > 0 ? read / seconds : 0;
  const files = `${count(found, "file")} found${isWalked ? "" : " so far"}`;
  if (all === 0) return files;
  const speed = rate >= 10 ? number(Math.round(rate)) : rate.toFixed(1);
  const done = `${number(read)} of ${isWalked ? "" : "at least "}${number(all)} read, ${speed}/s`;
  if (!isWalked || rate === 0) return `${files}, ${done}`;
  return `${files}, ${done}, ${duration((all - read) / rate)} left`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** The result of a crawl. */
export function summaryText(
  counts: Counts,
  refused: number,
  notes: number,
  seconds: number,
): string {
  const { found, fresh, changed, unchanged, unsummed, again, opened, stored } = counts;
  const { gone, young, users } = counts;
  const parts = [
    count(found, "file"),
    `${number(fresh)} new`,
    `${number(changed)} changed`,
    `${number(unchanged)} unchanged`,
    `${number(opened)} opened`,
    `${number(stored)} stored`,
    `${number(gone)} taken out`,
    ...(again > 0 ? [`${number(again)} read again`] : []),
    ...(unsummed > 0 ? [`${number(unsummed)} read for their checksum`] : []),
    ...(young > 0 ? [`${number(young)} left for the next crawl`] : []),
    ...(users > 0 ? [`${number(users)} of users`] : []),
    ...(refused > 0 ? [`${number(refused)} refused or left out`] : []),
    ...(notes > 0 ? [count(notes, "note")] : []),
  ];
  return `${parts.join(", ")} in ${seconds.toFixed(1)} s`;
}
