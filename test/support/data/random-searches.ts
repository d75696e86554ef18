/** Searches by chance: as they are meant, and as the query of an address. */

import {
  FLAVOUR_NAMES,
  FLAVOURS,
  type Flavour,
  searchableFacets,
  translation,
} from "../../../src/domain/vocabulary/flavours.js";
import { flavourOf } from "../../../src/server/flavours/definition.js";
import type { Condition, Meant } from "./known-documents.js";
import { type Chance, VALUED, VALUES, type Valued } from "./random-documents.js";

/** Names of a user's own flavour, which the test creates before. */
export const OWN_MAPPING = { model: "gcm", experiment: "scenario", variable: "what" } as const;
export const OWN_FLAVOUR: Flavour = flavourOf({ name: "random", mapping: OWN_MAPPING });

export type Pair = readonly [name: string, value: string];

/** A search, and how it is written. */
export interface Written extends Meant {
  readonly pairs: readonly Pair[];
  /** Facets by the names that this search has for them, and back. */
  readonly nameOf: (facet: string) => string;
  /** `flavour/uniq_key`, or the flavour alone. */
  readonly path: string;
}

const SELECTS = ["flexible", "strict", "file"] as const;
/** Values that negate themselves cannot be written alone, and what is a wildcard needs a backslash. */
const literally = (value: string): string => value.replace(/[*?]/g, "\\$&");

function searchedValue(chance: Chance, native: Valued): string {
  const { random, below, pick } = chance;
  const value = pick<string>(VALUES[native]);
  const kind = random();
  if (kind < 0.08) return pick(["nothing", "tass", "AND", '"', "a\\b", "(", `${value}x`]);
  if (kind < 0.14) return "*";
  if (kind < 0.22) return `${literally(value.slice(0, 1 + below(value.length)))}*`;
  if (kind < 0.28) return `*${literally(value.slice(below(value.length)))}`;
  if (kind < 0.34) {
    const at = below(value.length);
    return `${literally(value.slice(0, at))}?${literally(value.slice(at + 1))}`;
  }
  if (kind < 0.4) return literally(value.toUpperCase());
  return literally(value);
}

const period = ({ random, below, pick }: Chance): string => {
  const year = 1975 + below(30);
  return pick([
    `${year} to ${year + below(15)}`,
    `${year}-0${1 + below(9)}`,
    `${year}`,
    `to ${year}`,
    `${year} to`,
    random() < 0.3 ? "fx" : `[${year} TO ${year + 2}]`,
  ]);
};

function box({ random, below }: Chance): string {
  if (random() < 0.1) return "-180,180,-90,90";
  const [west, south] = [below(520) - 180, below(120) - 80];
  return `${west},${below(540) - 180},${south},${south + below(90 - south)}`;
}

function facetCondition(chance: Chance, native: Valued, isExcluded: boolean): Condition {
  const { random, below } = chance;
  const count = random() < 0.65 ? 1 : 2 + below(2);
  return {
    native,
    isExcluded,
    values: Array.from({ length: count }, () => searchedValue(chance, native)),
  };
}

function otherCondition(chance: Chance, isExcluded: boolean): Condition {
  const { random, below, pick } = chance;
  const times = random() < 0.8 ? 1 : 2;
  const several = (make: () => string): string[] => Array.from({ length: times }, make);
  switch (pick(["time", "time", "bbox", "bbox", "file", "uri", "retracted", "dataset_id"])) {
    case "time":
      return { native: "time", isExcluded, values: several(() => period(chance)) };
    case "bbox":
      return { native: "bbox", isExcluded, values: several(() => box(chance)) };
    case "file":
      return {
        native: "file",
        isExcluded,
        values: several(() => `*/D${below(30)}*/?${below(3)}.nc`),
      };
    case "uri":
      return { native: "uri", isExcluded, values: several(() => `*/D${below(12)}?/*`) };
    case "retracted":
      return { native: "retracted", isExcluded, values: [pick(["true", "false"])] };
    default:
      return {
        native: "dataset_id",
        isExcluded,
        values: several(() => `*${pick(VALUES.variable).slice(0, 3)}*`),
      };
  }
}

/** Ways to write that a value is excluded; a minus would be the sign of a date or of degrees. */
function pairsOf(chance: Chance, name: string, { native, values, isExcluded }: Condition): Pair[] {
  const { random, pick } = chance;
  if (!isExcluded) return values.map((value) => [name, value]);
  const marks = native === "time" || native === "bbox" ? ["!", "not "] : ["!", "not ", "-"];
  if (random() < 0.5) return values.map((value) => [`${name}_not_`, value]);
  return values.map((value) => [name, `${pick(marks)}${value}`]);
}

/**
 * A search with this many constraints.
 *
 * @param most constraints at the most
 * @param inFlavour left out: any flavour
 */
export function randomSearch(chance: Chance, most = 5, inFlavour?: Flavour): Written {
  const { random, below, pick } = chance;
  const all = [...FLAVOUR_NAMES.map((name) => FLAVOURS[name]), FLAVOURS.native, OWN_FLAVOUR];
  const flavour = inFlavour ?? pick(all);
  const translate = random() < 0.85;
  const isMultiVersion = random() < 0.3;
  const { name } = translation(flavour, translate);
  const searchable = new Set<string>(searchableFacets(flavour));
  const details = ["units", "standard_name", "long_name", "license"];
  const valued = VALUED.filter((one) => searchable.has(one) || details.includes(one));
  const conditions = new Map<string, Condition>();
  for (let left = below(most + 1); left > 0; left--) {
    const isExcluded = random() < 0.25;
    const one =
      random() < 0.7
        ? facetCondition(chance, pick(valued), isExcluded)
        : otherCondition(chance, isExcluded);
    conditions.set(`${one.native} ${isExcluded}`, one);
  }
  if (isMultiVersion && random() < 0.3) {
    const values = [pick(["v20190101", "v2020*"])];
    conditions.set("version", { native: "version", isExcluded: random() < 0.3, values });
  }
  const [timeSelect, bboxSelect] = [pick(SELECTS), pick(SELECTS)];
  const nameOf = (native: string): string => name(native as Parameters<typeof name>[0]);
  const written = [...conditions.values()];
  const key = random() < 0.75 ? "file" : "uri";
  const pairs: Pair[] = written.flatMap((one) => pairsOf(chance, nameOf(one.native), one));
  // As a browser's form, or a list of texts.
  const asTexts = random() < 0.15;
  const filters = asTexts
    ? pairs.map(
        ([one, value]): Pair =>
          ["time", "bbox"].includes(one) ? [one, value] : ["filter", `${one}=${value}`],
      )
    : pairs;
  return {
    flavour,
    key,
    timeSelect,
    bboxSelect,
    nameOf,
    isMultiVersion,
    conditions: written,
    path: `${flavour.name}/${key}`,
    pairs: [
      ...filters,
      ["time_select", timeSelect],
      ["bbox_select", bboxSelect],
      ...(translate ? [] : [["translate", "false"] as const]),
      ...(isMultiVersion ? [["multi-version", "true"] as const] : []),
    ],
  };
}
