/** What is known of where text for people goes to. */

/** Columns where nobody tells how many there are. */
const USUAL_WIDTH = 80;
const MIN_WIDTH = 20;

export interface Look {
  /** Columns. */
  readonly width: number;
  /** What is important, such as a heading. */
  bold(text: string): string;
}

const same = (text: string): string => text;

/** Plain text, as wide as it is. */
export const UNBOUNDED: Look = { width: Number.POSITIVE_INFINITY, bold: same };

/** How text for people looks there: in colours on a terminal, unless NO_COLOR or FORCE_COLOR tell otherwise. */
export function lookOf(
  out: { readonly isTTY?: boolean; readonly columns?: number },
  env = process.env,
): Look {
  const width = Math.max(MIN_WIDTH, out.columns || USUAL_WIDTH);
  if (!hasColours(out, env)) return { width, bold: same };
  return { width, bold: (text) => `\x1b[1m${text}\x1b[22m` };
}

/** By no-color.org and force-color.org; who asks for colours gets them, as with Node itself. */
function hasColours(out: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: kind } = env;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (refused !== undefined && refused !== "") return false;
  return out.isTTY === true && kind !== "dumb";
}
