/** Where two sources say different things of one facet. */

type Value = string | readonly string[];
type Said = Readonly<Record<string, Value>>;

/** Characters of a value that are told. */
const MAX_TOLD = 100;

/** Whether two values mean the same; of several, one that is the other. */
export function sameValue(a: Value, b: Value): boolean {
  const others = new Set([b].flat().map(plain));
  return [a].flat().some((one) => others.has(plain(one)));
}

/**
 * Names in paths have signs changed that folders do not take well: `CSIRO-Mk3.6.0` lies in `CSIRO-Mk3-6-0`, `INM-CM4`
 * in `inmcm4` (CMIP5 DRS, 2.3). Between digits a sign counts, whichever it is.
 */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, (_signs, at: number, whole: string) => {
    const before = whole[at - 1] ?? "";
    const after = whole.slice(at).match(/[\p{L}\p{N}]/u)?.[0] ?? "";
    return /\d/.test(before) && /\d/.test(after) ? "-" : "";
  });
}

/** One line for each facet of which both say something else. */
export function contradictions(a: string, ofA: Said, b: string, ofB: Said): string[] {
  return Object.entries(ofA).flatMap(([facet, value]) => {
    const other = Object.hasOwn(ofB, facet) ? ofB[facet] : undefined;
    if (other === undefined || sameValue(value, other)) return [];
    return [`${facet}: ${a} says ${shown(value)}, ${b} ${shown(other)}`];
  });
}

function shown(value: Value): string {
  const text = [value].flat().join(", ");
  return text.length > MAX_TOLD ? `${text.slice(0, MAX_TOLD)}...` : text;
}
