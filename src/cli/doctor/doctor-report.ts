/** Prints findings as text or as JSON Lines. */
import { FINDINGS, type Finding, UNKNOWNS } from "../../catalogue/doctor/kinds.js";
import type { ProblemCounter } from "../../catalogue/doctor/problem-counter.js";
import { count, number } from "../terminal/plurals.js";
import { printLine } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";

interface Report {
  finding(finding: Finding): Promise<void>;
  /** Called after all findings. */
  end(counter: ProblemCounter, seconds: number): Promise<void>;
}

/** One line for each finding, then a line with the member `summary`. */
export const jsonReport: Report = {
  finding: (finding) => printLine(JSON.stringify(finding)),
  end: ({ files, datasets, opened, found, unknown }, seconds) => {
    const summary = {
      files,
      datasets,
      headers: opened,
      seconds: Number(seconds.toFixed(3)),
      found: Object.fromEntries(found),
      unknown: Object.fromEntries(unknown),
    };
    return printLine(JSON.stringify({ summary }));
  },
};

const KIND_WIDTH = Math.max(...Object.keys(FINDINGS).map((kind) => kind.length)) + 2;
/** Maximal number of other files in a line. */
const MAX_NAMED = 3;

/** Findings grouped by data set, one per line; then the meaning of each kind and what to do about it. */
export class TextReport implements Report {
  #heading: string | undefined;

  async finding({ kind, file, detail, dataset_id, version, others = [] }: Finding): Promise<void> {
    const name = [dataset_id ?? "(no data set)", version].filter((part) => part !== undefined);
    const heading = ABOVE_ALL.has(kind) ? "In all" : name.join(" ");
    const first =
      heading === this.#heading
        ? ""
        : `${this.#heading === undefined ? "" : "\n"}${printable(heading)}\n`;
    this.#heading = heading;
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const short = (other: string): string =>
      other.slice(other.startsWith(folder) ? folder.length : 0);
    const named = others.slice(0, MAX_NAMED).map(short).join(", ");
    const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : "";
    const beside = named === "" ? "" : `: ${named}${more}`;
    const line = printable(`${file} ${detail}${beside}`);
    await printLine(`${first}  ${kind.padEnd(KIND_WIDTH)}${line}`);
  }

  async end(
    { files, datasets, opened, found, unknown }: ProblemCounter,
    seconds: number,
  ): Promise<void> {
    const lines = [
      `${count(files, "file")} in ${count(datasets, "data set")} checked in ${seconds.toFixed(1)} s, ` +
        `${opened === 0 ? "no header" : count(opened, "header")} read: ${found.size === 0 ? "nothing is wrong" : "something is wrong"}.`,
    ];
    if (found.size > 0) {
      lines.push("", "Found:");
      for (const [kind, times] of found) {
        const { meaning, remedy } = FINDINGS[kind];
        lines.push(`  ${kind.padEnd(KIND_WIDTH)}${number(times)}: ${meaning}; ${remedy}.`);
      }
    }
    if (unknown.size > 0) {
      lines.push("", "Not known:");
      for (const [kind, times] of unknown) {
        lines.push(`  ${number(times)} of ${count(files, "file")}: ${UNKNOWNS[kind]}.`);
      }
    }
    await printLine(`${this.#heading === undefined ? "" : "\n"}${lines.join("\n")}`);
  }
}

/** Kinds that do not belong to one data set. */
const ABOVE_ALL = new Set<string>(["elsewhere", "silent", "tracking_id", "checksum"]);
