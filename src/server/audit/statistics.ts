/** Anonymous counts of searches and reads, written every minute as increments of the day. */
import type { SearchedValue } from "../../domain/search/search.js";
import { lowerCase } from "../../domain/text/case-folding.js";
import { COUNTABLE_DETAILS } from "../../domain/vocabulary/details.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import type { RequestContext, RequestObserver } from "../http/request-context.js";
import { dayOf } from "./days.js";
import { lineOf } from "./line.js";

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

type Count = [times: number, more: number];

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
      this.#count(["search", flavour], isFound ? 0 : 1);
      const shown = values.slice(0, MAX_VALUES).map((one) => shownValue(one, isHidden));
      for (const value of shown) this.#count(["value", flavour, ...value], 0);
      if (!isFound) this.#count(["nothing", flavour, searchText(shown)], 0);
    }
    if (reading !== undefined && status > 0 && status < 400) {
      this.#count(["read", reading.dataset], bytes);
    }
  }

  /** Writes the counts since the last call. */
  flush(): void {
    const counts = this.#counts;
    this.#counts = new Map();
    const time = new Date(this.#clock()).toISOString();
    for (const [key, [count, more]] of counts) {
      const parts = JSON.parse(key) as string[];
      this.#write(lineOf({ time, ...fieldsOf(parts), count, ...moreOf(parts[0], more) }));
    }
  }

  #count(parts: readonly string[], more: number): void {
    const key = this.#bounded(parts);
    const count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, [1, more]);
    else {
      count[0] += 1;
      count[1] += more;
    }
  }

  #bounded(parts: readonly string[]): string {
    const key = JSON.stringify(parts);
    if (this.#keys.has(key)) return key;
    const day = dayOf(this.#clock());
    if (day !== this.#day) {
      this.#day = day;
      this.#keys.clear();
    }
    if (this.#keys.size >= MAX_KEYS) return JSON.stringify([...parts.slice(0, -1), OTHER]);
    this.#keys.add(key);
    return key;
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

function fieldsOf([kind = "", first = "", second = "", third = ""]: readonly string[]) {
  if (kind === "read") return { kind, dataset: first };
  if (kind === "search") return { kind, flavour: first };
  if (kind === "nothing") return { kind, flavour: first, search: second };
  return { kind, flavour: first, key: second, value: third };
}

function moreOf(kind: string | undefined, more: number) {
  if (kind === "read") return { bytes: more };
  return kind === "search" ? { nothing: more } : {};
}
