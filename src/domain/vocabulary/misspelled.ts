/** Which known name a free key was meant to be, where it looks like a slip of the pen. */
import { LRUCache } from "lru-cache";
import { editDistance } from "../text/nearest-names.js";
import { FACET_NAMES } from "./facets.js";
import { FLAVOURS, translation } from "./flavours.js";

/** Characters of the longest key that may be a slip of the pen; the known ones have half as many. */
const MAX_LENGTH = 40;
/** Names up to this length have so many neighbours (`time`: `type`, `name`) that two slips prove nothing. */
const SHORT = 5;
/** Keys of which is remembered what they mean: the entries of a body have the same ones. */
const MAX_REMEMBERED = 1000;

/** The same for spellings that differ in case, `-`, `_` and space alone. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_\s]/g, "");

/** Native names by what any flavour calls them, folded. */
const OF_FLAVOURS = new Map<string, Set<string>>();
for (const flavour of Object.values(FLAVOURS)) {
  for (const facet of FACET_NAMES) {
    const name = folded(translation(flavour).name(facet));
    OF_FLAVOURS.set(name, (OF_FLAVOURS.get(name) ?? new Set()).add(facet));
  }
}

/**
 * A table of the names that are known somewhere.
 *
 * @param known native names, and names that are no facets
 * @returns what a name that is not among them was meant to be: those that some flavour calls so, those that are
 * spelled alike, or those at a distance of one slip, of two for long ones; none where it is a name of its own
 */
export function misspellings(known: readonly string[]): (name: string) => readonly string[] {
  const meant = (name: string): readonly string[] => {
    const plain = folded(name);
    const alike = known.filter((one) => folded(one) === plain);
    if (alike.length > 0) return alike;
    const translated = known.filter((one) => OF_FLAVOURS.get(plain)?.has(one));
    if (translated.length > 0) return translated;
    const slips = known.map((one) => ({ one, made: editDistance(plain, folded(one)) }));
    const near = slips.filter(
      ({ one, made }) => made <= (Math.min(one.length, plain.length) > SHORT ? 2 : 1),
    );
    const least = Math.min(...near.map(({ made }) => made));
    return near.filter(({ made }) => made === least).map(({ one }) => one);
  };
  const remembered = new LRUCache<string, readonly string[]>({
    max: MAX_REMEMBERED,
    memoMethod: meant,
  });
  return (name) => (name.length > MAX_LENGTH ? [] : remembered.memo(name));
}
