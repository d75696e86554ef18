/** Finds facets on which two sources disagree. */

type Value = string | readonly string[];
type Facts = Readonly<Record<string, Value>>;

const MAX_SHOWN = 100;

/** Whether two values mean the same. Of lists, one common element is enough. */
export function sameValue(a: Value, b: Value): boolean {
  const others = new Set([b].flat().map(normalised));
  return [a].flat().some((one) => others.has(normalised(one)));
}

/**
 * Folder names replace some punctuation: `CSIRO-Mk3.6.0` lies in `CSIRO-Mk3-6-0`, `INM-CM4` in `inmcm4` (CMIP5 DRS,
 * 2.3). Between digits a separator counts, but any separator equals any other.
 */
function normalised(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, (_signs, at: number, whole: string) => {
    const before = whole[at - 1] ?? "";
    const after = whole.slice(at).match(/[\p{L}\p{N}]/u)?.[0] ?? "";
    return /\d/.test(before) && /\d/.test(after) ? "-" : "";
  });
}

/**
 * One line for each facet that both sources state with different values.
 *
 * @param stored the source whose value goes into the index
 */
export function contradictions(
  a: string,
  factsA: Facts,
  b: string,
  factsB: Facts,
  stored = b,
): string[] {
  return Object.entries(factsA).flatMap(([facet, value]) => {
    const other = Object.hasOwn(factsB, facet) ? factsB[facet] : undefined;
    if (other === undefined || sameValue(value, other)) return [];
    const taken = stored === a ? value : other;
    return [`${facet}: ${a} says ${shown(value)}, ${b} ${shown(other)}; stored is ${shown(taken)}`];
  });
}

function shown(value: Value): string {
  const text = [value].flat().join(", ");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
