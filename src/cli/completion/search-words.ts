/** Supplies the words of a search from a service: flavours, facets, and values that narrow the search. */
import type { components } from "../../../generated/openapi.js";
import { validToken } from "../client/authenticate.js";
import { browseJson } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import { NARROWING } from "../search/options.js";
import { readWords, writtenValue } from "../search/words.js";
import { printable } from "../terminal/printable.js";
import { type Candidate, type Given, type WordSource, whole } from "./candidates.js";

type Schemas = components["schemas"];

/** Milliseconds; the user waits at the prompt. */
const TIMEOUT_MS = 1000;
/** A longer list does not help anyone who is typing. */
const MAX_VALUES = 2000;

/** Options whose value is a comma-separated list of facets. */
const LISTS_OF_NAMES = new Set(["facets", "groupBy", "requireAllOn", "coverage", "fields"]);

export const searchWords: WordSource = { words, values };

async function words(
  before: readonly string[],
  given: Given,
  word: string,
): Promise<readonly Candidate[]> {
  const ask = await asking(given);
  if (word.includes("=")) return valuesOf(ask, before, given, word);
  const { flavours, attributes } = await ask<Schemas["Overview"]>(["overview"]);
  const names = before.length === 0 ? flavours : [];
  const { flavour } = readWords(filtersOf(before));
  const facets = (attributes[flavour] ?? []).filter(isFacet);
  return [...names.map(whole), ...facets.map((name) => ({ text: `${name}=`, isOpen: true }))];
}

/** Time and bbox have their own options. */
const isFacet = (name: string): boolean => name !== "time" && name !== "bbox";

/** The words that are complete: the flavour, and filters with a value. */
const filtersOf = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => (at === 0 && !word.includes("=")) || /^[^=]+=./s.test(word));

/** Values of a facet in the files that the rest of the line finds. */
async function valuesOf(
  ask: Awaited<ReturnType<typeof asking>>,
  before: readonly string[],
  given: Given,
  word: string,
): Promise<readonly Candidate[]> {
  const [, name = "", sign = "", typed = ""] = /^([^=]*?)(!?=)(.*)$/s.exec(word) ?? [];
  // A comma separates values.
  const start = typed.search(/(?:(?<=(?<!\\),))[^,]*$/);
  const listed = start === -1 ? "" : typed.slice(0, start);
  const begun = typed.slice(listed.length);
  const meant = begun.replace(/\\([*?,])/g, "$1");
  const { flavour, filters } = readWords(filtersOf(before));
  const parameters = new URLSearchParams({
    facets: name,
    begins: "true",
    limit: String(MAX_VALUES),
    ...(meant !== "" && { text: meant }),
  });
  for (const [key, value] of filters) if (key !== name) parameters.append(key, value);
  for (const [option, key] of NARROWING) {
    for (const value of given.get(option) ?? []) parameters.append(key, value);
  }
  if (given.has("multiVersion")) parameters.append("multi-version", "true");
  if (given.has("uri")) parameters.append("uri", "*");
  const { parts } = await ask<Schemas["Suggestions"]>(["suggest", flavour], parameters);
  const known = parts.flatMap(({ suggestions }) => suggestions.map(({ value }) => value));
  return known
    .filter((value) => printable(value) === value)
    .sort()
    .flatMap((value) => {
      const text = writtenValue(name, value);
      return text === undefined ? [] : [whole(`${name}${sign}${listed}${text}`)];
    });
}

async function values(
  option: string,
  before: readonly string[],
  given: Given,
  value: string,
): Promise<readonly Candidate[]> {
  if (!LISTS_OF_NAMES.has(option)) return [];
  const ask = await asking(given);
  const { attributes } = await ask<Schemas["Overview"]>(["overview"]);
  const { flavour } = readWords(filtersOf(before));
  const listed = value.slice(0, value.lastIndexOf(",") + 1);
  const taken = new Set(listed.split(","));
  return (attributes[flavour] ?? [])
    .filter((name) => isFacet(name) && !taken.has(name))
    .map((name) => whole(listed + name));
}

/** Asks a service, with one short deadline for all questions. */
async function asking(given: Given) {
  const host = given.get("host")?.at(-1) ?? DEFAULT_HOST;
  const service = serviceAddress(host);
  const token = (await validToken(host))?.access_token;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return <T>(path: readonly string[], parameters = new URLSearchParams()): Promise<T> =>
    browseJson<T>(service, { path, parameters, token, signal });
}
