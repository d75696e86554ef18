/** Recognises keys that are probably misspelled names. */
import { LRUCache } from "lru-cache";
import { editDistance } from "../text/nearest-names.js";
import { FACET_NAMES } from "./facets.js";
import { FLAVOURS, translation } from "./flavours.js";

/** Longer keys are never misspellings: known names have at most half as many characters. */
const MAX_LENGTH = 40;
/** Names up to this length have many neighbours (`time`: `type`, `name`), so two changes are not a misspelling. */
const SHORT = 5;
/** Bound of the cache: the entries of a body have the same keys. */
const MAX_CACHED = 1000;

/** Removes case, `-`, `_` and space. */
const normalised = (name: string): string => name.toLowerCase().replaceAll(/[-_\s]/g, "");

/** Native names, by the normalised names of all flavours. */
const BY_FLAVOUR_NAME = new Map<string, Set<string>>();
for (const flavour of Object.values(FLAVOURS)) {
  for (const facet of FACET_NAMES) {
    const name = normalised(translation(flavour).name(facet));
    BY_FLAVOUR_NAME.set(name, (BY_FLAVOUR_NAME.get(name) ?? new Set()).add(facet));
  }
}

/**
 * Makes a function that gives the known names which an unknown key probably stands for: equal when normalised, the name of
 * some flavour, or within an edit distance of one (two for long names). Empty for keys that resemble none.
 */
export function misspellings(known: readonly string[]): (key: string) => readonly string[] {
  const intended = (key: string): readonly string[] => {
    const plain = normalised(key);
    const alike = known.filter((name) => normalised(name) === plain);
    if (alike.length > 0) return alike;
    const translated = known.filter((name) => BY_FLAVOUR_NAME.get(plain)?.has(name));
    if (translated.length > 0) return translated;
    const near = known
      .map((name) => ({ name, distance: editDistance(plain, normalised(name)) }))
      .filter(
        ({ name, distance }) => distance <= (Math.min(name.length, plain.length) > SHORT ? 2 : 1),
      );
    const smallest = Math.min(...near.map(({ distance }) => distance));
    return near.filter(({ distance }) => distance === smallest).map(({ name }) => name);
  };
  const cache = new LRUCache<string, readonly string[]>({ max: MAX_CACHED, memoMethod: intended });
  return (key) => (key.length > MAX_LENGTH ? [] : cache.memo(key));
}
