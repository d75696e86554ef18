/**
 * Reads a typed text such as `tas historical MPI 1990-2000 Europe` into parts, each with what it may mean.
 *
 * A part is a word, or several that together are a name or a period. Of each, the values of all facets are candidates that
 * are equal to it, begin with it, or have a word that does, by code or long name. Where there is none, those are that have all
 * of its words in another order or form, unless one of these is a value or name by itself; then near ones.
 */
import { TimeSlice } from "../../platform/concurrency/time-slices.js";
import { lowerCase } from "../text/case-folding.js";
import { nearValues } from "../text/similar-values.js";
import {
  type Candidate,
  type Counted,
  excluded,
  inOrder,
  ofField,
  ofRegion,
  periods,
} from "./candidates.js";
import { KNOWN_REGIONS, type KnownField, wordsOf } from "./known-values.js";
import { folded, hasStems, type Match, matchOf, stemsOf } from "./match.js";
import { nearestWords, nearSlips } from "./nearest-words.js";
import { MAX_PERIOD_WORDS } from "./typed-period.js";
import { excludedIn, isFiller, type TypedWord, typedWords, writtenWords } from "./typed-words.js";

/** Parts that are read; the others are reported. */
const MAX_PARTS = 8;
/** Words of a name or a period. */
const MAX_PHRASE_WORDS = 8;
/** Shorter texts are near too many values. */
export const MIN_NEAR_LENGTH = 3;
/** Values that all parts together are compared with for near ones. */
export const MAX_NEAR_COMPARED = 40_000;

export interface TypedPart {
  readonly text: string;
  /** The text that values are compared with, without what excludes them. */
  readonly meant: string;
  /** Best first; empty if the text is not understood. */
  readonly candidates: readonly Candidate[];
}

export interface Known {
  readonly fields: readonly KnownField[];
  /** Names of datasets, with the number of their files, by the typed text with which they begin. */
  readonly datasets: ReadonlyMap<string, readonly (readonly [name: string, count: number])[]>;
}

/** @param max candidates of a part */
export async function readTyped(text: string, known: Known, max: number): Promise<TypedPart[]> {
  const words = typedWords(text);
  const reader = new Reader(known, max);
  const parts: TypedPart[] = [];
  for (let at = 0; at < words.length; ) {
    const { part, length } = await reader.firstPart(words.slice(at), parts.length < MAX_PARTS);
    if (part !== undefined) parts.push(part);
    at += length;
  }
  return parts;
}

/** Values that begin with a text, blanks included; the most frequent first. @param text empty for all values */
export function valuesBeginning(
  text: string,
  fields: readonly KnownField[],
  max: number,
): Counted[] {
  const begun = lowerCase(text);
  const candidates = fields.flatMap((known) =>
    [...known.all]
      .filter(([value]) => value.startsWith(begun))
      .map(([value, count]) => ({
        ...ofField(known, { value, count }),
        count,
        match: value === begun ? ("exact" as const) : ("prefix" as const),
      })),
  );
  return candidates.sort((a, b) => b.count - a.count).slice(0, max);
}

/** A word that may be the beginning of a dataset's name. */
export const datasetTexts = (text: string): string[] =>
  typedWords(text)
    .map((word) => word.text)
    .filter((word) => word.length > 3 && word.includes(".") && !/^\d{4}\.\./.test(word))
    .slice(0, MAX_PARTS);

/** A value with the name of its field, as in `source_id=mpi`. */
export function valueOfField(word: string) {
  const [, name, value] = /^([a-z][a-z0-9_-]*)[=:](.+)$/i.exec(word) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

class Reader {
  readonly #known: Known;
  readonly #max: number;
  readonly #slice = new TimeSlice();
  #nearLeft = MAX_NEAR_COMPARED;

  constructor(known: Known, max: number) {
    this.#known = known;
    this.#max = max;
  }

  /** The longest part that begins with the first word; none for words that say nothing. */
  async firstPart(words: readonly TypedWord[], isRead: boolean) {
    const text = writtenWords(words.slice(0, 1));
    if (!isRead) {
      const part = words.slice(0, 1).some(isFiller) ? undefined : nothing(text);
      return { part, length: 1 };
    }
    const excluding = excludedIn(words);
    if (excluding === undefined) return this.#read(words);
    const { part, length } = await this.#read(excluding.words);
    const all = excluding.skipped + length;
    const { meant, candidates } = part ?? nothing(text);
    const whole = writtenWords(words.slice(0, all));
    return { part: { text: whole, meant, candidates: candidates.map(excluded) }, length: all };
  }

  async #read(words: readonly TypedWord[]) {
    const [word] = words;
    const phrase = await this.#phrase(words);
    if (phrase !== undefined) return phrase;
    if (word === undefined || isFiller(word)) return { part: undefined, length: 1 };
    return { part: await this.#single(word), length: 1 };
  }

  /** The longest name or period of several words that begins with the first one. */
  async #phrase(words: readonly TypedWord[]) {
    const quoted = words.findIndex(({ isQuoted }) => isQuoted);
    const plain = quoted < 0 ? words.length : quoted;
    let longest: { part: TypedPart; length: number } | undefined;
    // No longer text has a value of which the shorter one has none.
    let canBeName = true;
    for (let length = 2; length <= Math.min(plain, MAX_PHRASE_WORDS); length += 1) {
      const some = words.slice(0, length);
      const text = writtenWords(some).toLowerCase();
      // A sign begins a part of its own, unless it joins two dates.
      canBeName &&= some.every(({ sign }) => sign === "");
      // If no name has the text, the names that have its words in another order or form are taken.
      let values: readonly Candidate[] = canBeName ? await this.#values(text) : [];
      if (canBeName && values.length === 0) values = await this.#inAnyOrder(text, some);
      canBeName = values.length > 0;
      // Words in any order go on to the next word that says something.
      const isOpen = some.slice(-1).some(isFiller) && values[0]?.match === "words";
      const candidates = [...periods(text), ...(isOpen ? [] : values)];
      if (candidates.length > 0) longest = { part: this.#part(text, candidates), length };
      else if (!isOpen && length >= MAX_PERIOD_WORDS) break;
    }
    return longest;
  }

  /** None if a word by itself is the code or a name of something, or if the first one says nothing. */
  async #inAnyOrder(text: string, words: readonly TypedWord[]): Promise<Candidate[]> {
    const stems = stemsOf(folded(text));
    const isApart = words.some((word) => this.#isName(word)) || words.slice(0, 1).some(isFiller);
    if (isApart || stems.length === 0) return [];
    return this.#matching((texts) => (hasStems(stems, texts) ? "words" : undefined));
  }

  #isName({ text, isQuoted }: TypedWord): boolean {
    const typed = folded(text);
    return (
      isQuoted ||
      this.#known.fields.some(({ texts, all }) => texts.has(typed) || all.has(lowerCase(text))) ||
      KNOWN_REGIONS.some(({ texts }) => texts.includes(typed))
    );
  }

  async #single(word: TypedWord): Promise<TypedPart> {
    const { text, isQuoted } = word;
    const named = isQuoted ? undefined : valueOfField(text);
    const fields = this.#known.fields.filter(({ name }) => name === named?.name);
    if (named !== undefined && fields.length > 0) {
      return this.#part(text, await this.#values(named.value, fields, true));
    }
    const found = [...periods(text.toLowerCase()), ...(await this.#values(text))];
    for (const [name, count] of this.#known.datasets.get(text) ?? []) {
      const match = name.toLowerCase() === text.toLowerCase() ? "exact" : "prefix";
      const shared = { kind: "dataset", name: "dataset_id", field: "dataset_id" } as const;
      found.push({ ...shared, value: name, match, count, isSecondary: true });
    }
    if (found.length === 0) found.push(...(await this.#inAnyOrder(text, [word])));
    if (found.length === 0) found.push(...this.#near(text));
    if (found.length === 0) found.push(...(await this.#misspelt(text)));
    return this.#part(text, found);
  }

  #part(text: string, candidates: readonly Candidate[]): TypedPart {
    const best = [...candidates].sort(inOrder).slice(0, this.#max);
    return { text, meant: text, candidates: best };
  }

  async #values(text: string, fields = this.#known.fields, isNamed = false): Promise<Candidate[]> {
    const typed = folded(text);
    if (typed === "") return [];
    const found = await this.#matching((texts) => matchOf(typed, texts), fields, !isNamed);
    // Values that are too many to be compared are found by their whole text.
    const whole = lowerCase(text);
    for (const known of fields) {
      const count = known.all.get(whole);
      const isNew = known.all.size > known.compared.length;
      if (isNew && count !== undefined && !found.some(isSame(known, whole))) {
        found.push({ ...ofField(known, { value: whole, count }), match: "exact" });
      }
    }
    return isNamed && found.length === 0 ? this.#near(text, fields) : found;
  }

  /** What a rule finds among the compared values and the regions. */
  async #matching(
    rule: (texts: readonly string[]) => Match | undefined,
    fields = this.#known.fields,
    withRegions = true,
  ): Promise<Candidate[]> {
    const found: Candidate[] = [];
    for (const known of fields) {
      for (const one of known.compared) {
        const match = rule(one.texts);
        if (match !== undefined) found.push({ ...ofField(known, one), match });
      }
      if (this.#slice.isOver) await this.#slice.next();
    }
    for (const region of withRegions ? KNOWN_REGIONS : []) {
      const match = rule(region.texts);
      if (match !== undefined) found.push({ ...ofRegion(region), match });
    }
    return found;
  }

  #near(text: string, fields = this.#known.fields): Candidate[] {
    if (text.length < MIN_NEAR_LENGTH) return [];
    const among = fields.flatMap((known) => {
      const some = known.compared.slice(0, this.#nearLeft);
      this.#nearLeft -= some.length;
      return some.map((one) => ({ ...one, ranked: ofField(known, one) }));
    });
    const regions = KNOWN_REGIONS.flatMap((region) => {
      const ranked = ofRegion(region);
      return region.texts.map((value) => ({ value, count: 0, ranked }));
    });
    const near = nearValues(text, [...among, ...regions], this.#max, nearSlips);
    const ranked = new Set(near.map((one) => one.ranked));
    return [...ranked].map((one) => ({ ...one, match: "near" as const }));
  }

  /** Values that have a word in a name which is spelled nearly like the text. */
  async #misspelt(text: string): Promise<Candidate[]> {
    const known = new Set<string>();
    for (const field of this.#known.fields) {
      if (this.#nearLeft <= 0) break;
      for (const word of wordsOf(field)) known.add(word);
      this.#nearLeft -= wordsOf(field).size;
    }
    const words = nearestWords(text, known);
    if (words.length === 0) return [];
    return this.#matching((texts) =>
      words.some((word) => hasStems([word], texts)) ? "near" : undefined,
    );
  }
}

const nothing = (text: string): TypedPart => ({ text, meant: text, candidates: [] });

const isSame =
  ({ field }: KnownField, value: string) =>
  (one: Candidate): boolean =>
    one.field === field && one.value === value;
