/** Shows the progress of a long step: a bar on a terminal, occasional lines elsewhere. */

export interface Progress {
  /** @param done of `total`, in the same unit */
  update(done: number, text: string): void;
  /** Prints a line that stays, such as a refused document. */
  note(line: string): void;
  end(text: string): void;
}

/** Joins several lines to one. */
export const inOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

const WIDTH = 28;
const REDRAW_MS = 100;
const LINE_MS = 5000;
/** Clears the line of the bar. */
const CLEAR = "\r\x1b[2K";

/**
 * @param label the step, such as `Loading`
 * @param total undefined if unknown, as for standard input
 */
export function progress(
  label: string,
  total: number | undefined,
  out: NodeJS.WriteStream = process.stderr,
): Progress {
  const onTerminal = out.isTTY === true;
  const pause = onTerminal ? REDRAW_MS : LINE_MS;
  let last = Date.now() - (onTerminal ? REDRAW_MS : 0);
  const line = (done: number, text: string): string => {
    if (total === undefined || total === 0) return `${label}: ${text}`;
    const share = Math.min(1, done / total);
    const percent = `${Math.floor(share * 100)}`.padStart(3);
    if (!onTerminal) return `${label}: ${percent}%, ${text}`;
    const filled = Math.round(share * WIDTH);
    return `${label} [${"#".repeat(filled)}${" ".repeat(WIDTH - filled)}] ${percent}%  ${text}`;
  };
  const show = (text: string, final: boolean): void => {
    out.write(onTerminal ? `${CLEAR}${text}${final ? "\n" : ""}` : `${text}\n`);
  };
  return {
    update(done, text) {
      if (Date.now() - last < pause) return;
      last = Date.now();
      show(line(done, text), false);
    },
    note: (line) => {
      out.write(`${onTerminal ? CLEAR : ""}${line}\n`);
    },
    end: (text) => show(`${label}: ${text}`, true),
  };
}
