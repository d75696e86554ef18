/** Reads how values represent their time steps, from `cell_methods` (CF, 7.3). */
import { textOf, type Variable } from "./header.js";

/** The catalogue's words for methods of CF, appendix E; others are kept. */
const WORDS: Readonly<Record<string, string>> = {
  maximum: "max",
  minimum: "min",
  point: "inst",
};

const MAX_LENGTH = 2000;

/**
 * The last method over time: `time: maximum within days time: mean over days` is a mean.
 *
 * @returns undefined if no method applies to time
 */
export function timeAggregation(variable: Variable): string | undefined {
  const text = textOf(variable, "cell_methods").slice(0, MAX_LENGTH);
  const words = text.replaceAll(/\([^()]*\)/g, " ").split(/\s+/);
  let names: string[] = [];
  let isRead = false;
  let method: string | undefined;
  for (const word of words) {
    if (word.endsWith(":")) {
      // `area: time: mean` is one method for both.
      names = isRead ? [word] : [...names, word];
      isRead = false;
    } else if (!isRead && names.length > 0) {
      isRead = true;
      if (names.some((name) => /^(?:time|t):$/i.test(name))) method = word.toLowerCase();
    }
  }
  if (method === undefined || !/^[a-z_]{1,40}$/.test(method)) return undefined;
  return Object.hasOwn(WORDS, method) ? WORDS[method] : method;
}
