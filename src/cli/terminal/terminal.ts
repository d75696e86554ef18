/** Properties of the terminal or file that text is written to. */

/** Columns if the terminal gives no width. */
const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 20;

export interface Look {
  /** Columns. */
  readonly width: number;
  /** For headings. */
  bold(text: string): string;
}

const same = (text: string): string => text;

/** Plain text of any width. */
export const UNBOUNDED: Look = { width: Number.POSITIVE_INFINITY, bold: same };

/** Width and style of a stream: colours on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function lookOf(
  out: { readonly isTTY?: boolean; readonly columns?: number },
  env = process.env,
): Look {
  const width = Math.max(MIN_WIDTH, out.columns || DEFAULT_WIDTH);
  if (!hasColours(out, env)) return { width, bold: same };
  return { width, bold: (text) => `\x1b[1m${text}\x1b[22m` };
}

/** By no-color.org and force-color.org; FORCE_COLOR wins, as in Node. */
function hasColours(out: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: kind } = env;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (refused !== undefined && refused !== "") return false;
  return out.isTTY === true && kind !== "dumb";
}
