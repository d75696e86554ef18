/** The period and the region of a search, and how to set them. */
import type { Search } from "../address/address.js";
import { type Ends, endsOf, periodText } from "./period/period-text.js";
import { type Box, boxOf, boxText } from "./region/box.js";

/** How data relate to a period or region; `flexible` is the service's default. */
const SELECTS = ["flexible", "strict", "file"] as const;
type Select = (typeof SELECTS)[number];

interface InSearch<T> {
  /** The edited one: the first that is not excluded. */
  readonly chosen: T | undefined;
  /** Its text in the address. */
  readonly text: string | undefined;
  readonly select: Select;
  /** Others in the search, which stay unchanged. */
  readonly others: readonly string[];
}

function inSearch<T>(pairs: Search["pairs"], kind: Kind, read: (text: string) => T | undefined) {
  const texts = pairs.filter(([name]) => name === kind).map(([, text]) => text);
  const text = texts.find((one) => read(one) !== undefined);
  const requested = pairs.find(([name]) => name.replace("-", "_") === `${kind}_select`)?.[1];
  return {
    chosen: text === undefined ? undefined : read(text),
    text,
    select: SELECTS.find((one) => one === requested) ?? "flexible",
    others: texts.filter((one) => one !== text),
  } satisfies InSearch<T>;
}

export const periodIn = (pairs: Search["pairs"]): InSearch<Ends> => inSearch(pairs, "time", endsOf);
export const boxIn = (pairs: Search["pairs"]): InSearch<Box> => inSearch(pairs, "bbox", boxOf);

/** Replaces one value in place, and leaves the others. */
function set(query: URLSearchParams, kind: Kind, before: string | undefined, text?: string): void {
  const pairs = [...query];
  const place = pairs.findIndex(([name, value]) => name === kind && value === before);
  const added: [string, string][] = text === undefined ? [] : [[kind, text]];
  pairs.splice(place < 0 ? pairs.length : place, 1, ...added);
  for (const name of new Set(query.keys())) query.delete(name);
  for (const [name, value] of pairs) query.append(name, value);
  if (!query.has(kind)) query.delete(`${kind}_select`);
}

export const setPeriod = (query: URLSearchParams, before: string | undefined, ends: Ends): void =>
  set(query, "time", before, periodText(ends));

export const setBox = (query: URLSearchParams, before: string | undefined, box?: Box): void =>
  set(query, "bbox", before, box && boxText(box));

export function setSelect(query: URLSearchParams, kind: Kind, select: string): void {
  if (select === "flexible") query.delete(`${kind}_select`);
  else query.set(`${kind}_select`, select);
}

type Kind = "time" | "bbox";

/** A search without its period or region. */
export const without = (pairs: Search["pairs"], kind: Kind): Search["pairs"] =>
  pairs.filter(([name]) => ![kind, `${kind}_select`].includes(name.replace("-", "_")));
