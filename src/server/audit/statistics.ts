/** Anonymous counts of searches and reads, written every minute as increments of the day. */
import type { SearchedValue } from "../../domain/search/search.js";
import { lowerCase } from "../../domain/text/case-folding.js";
import { COUNTABLE_DETAILS } from "../../domain/vocabulary/details.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import type { RequestContext, RequestObserver } from "../http/request-context.js";
import { dayOf } from "./days.js";
import { type Fields, lineOf } from "./line.js";

/** Keys of one process and day; further ones are counted together as OTHER. */
const MAX_KEYS = 10_000;
/** Values counted of one search. */
const MAX_VALUES = 20;
/** Characters kept of a value, and of a search that found nothing. */
const MAX_VALUE = 100;
const MAX_SEARCH = 300;

/** The key of everything beyond MAX_KEYS. */
const OTHER = "(other)";

/** Keys whose values cannot identify the caller. Paths, names and identifiers can; for these only the key is counted. */
const COUNTED = new Set<string>([...FACET_NAMES, ...COUNTABLE_DETAILS, "dataset_id", "version"]);
for (const key of ["user", "time", "bbox"]) COUNTED.delete(key);

/** Users choose the names in their own flavours and data, so values of such searches are not counted. */
const isOwn = (flavour: string | undefined): boolean => flavour === undefined || flavour === "user";

interface Count {
  readonly fields: Fields;
  count: number;
  /** Bytes that were read, or searches that found nothing. */
  readonly more: Record<string, number>;
}

export class Statistics implements RequestObserver {
  #day = "";
  /** Keys of this day. */
  #keys = new Set<string>();
  #counts = new Map<string, Count>();
  readonly #write: (line: string) => void;
  readonly #clock: () => number;

  constructor(write: (line: string) => void, clock: () => number = Date.now) {
    this.#write = write;
    this.#clock = clock;
  }

  ended({ searched, reading, status, bytes }: RequestContext): void {
    if (searched !== undefined) {
      const { flavour = OWN, values, isFound } = searched;
      const isHidden = isOwn(searched.flavour);
      this.#count({ kind: "search", flavour }, "flavour", { nothing: isFound ? 0 : 1 });
      const shown = values.slice(0, MAX_VALUES).map((one) => shownValue(one, isHidden));
      for (const [key, value] of shown)
        this.#count({ kind: "value", flavour, key, value }, "value");
      if (!isFound) this.#count({ kind: "nothing", flavour, search: searchText(shown) }, "search");
    }
    if (reading !== undefined && status > 0 && status < 400) {
      this.#count({ kind: "read", dataset: reading.dataset }, "dataset", { bytes });
    }
  }

  /** Writes the counts since the last call. */
  flush(): void {
    const counts = this.#counts;
    this.#counts = new Map();
    const time = new Date(this.#clock()).toISOString();
    for (const { fields, count, more } of counts.values()) {
      this.#write(lineOf({ time, ...fields, count, ...more }));
    }
  }

  /** @param open the field of which there may be any number of values */
  #count(fields: Fields, open: string, more: Readonly<Record<string, number>> = {}): void {
    const own = JSON.stringify(fields);
    const counted = this.#isKnown(own) ? fields : { ...fields, [open]: OTHER };
    const key = counted === fields ? own : JSON.stringify(counted);
    const sum = this.#counts.get(key) ?? { fields: counted, count: 0, more: {} };
    sum.count += 1;
    for (const [name, number] of Object.entries(more)) {
      sum.more[name] = (sum.more[name] ?? 0) + number;
    }
    this.#counts.set(key, sum);
  }

  /** Whether it is one of the first MAX_KEYS keys of the day. */
  #isKnown(key: string): boolean {
    if (this.#keys.has(key)) return true;
    const day = dayOf(this.#clock());
    if (day !== this.#day) {
      this.#day = day;
      this.#keys.clear();
    }
    if (this.#keys.size >= MAX_KEYS) return false;
    this.#keys.add(key);
    return true;
  }
}

/** The common name of all flavours made by users. */
const OWN = "(own)";

/** The key and the countable form of its value. */
function shownValue(
  { key, value, isExcluded }: SearchedValue,
  isHidden: boolean,
): [string, string] {
  const isShown = !isHidden && COUNTED.has(key);
  const text = isShown ? lowerCase(value).slice(0, MAX_VALUE) : "*";
  return [key, isExcluded ? `not ${text}` : text];
}

const searchText = (shown: readonly (readonly [string, string])[]): string =>
  shown
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(" ")
    .slice(0, MAX_SEARCH);
