/** Finds the fields of which a typed text may mean a value, so that a search counts only these. */
import { lowerCase } from "../text/case-folding.js";
import { nearValues } from "../text/similar-values.js";
import { type KnownField, wordsOf } from "./known-values.js";
import { folded, hasStems, stemsOf } from "./match.js";
import { nearestWords, nearSlips } from "./nearest-words.js";
import { MAX_NEAR_COMPARED, MIN_NEAR_LENGTH, valueOfField } from "./read-typed.js";
import { typedWords } from "./typed-words.js";

/**
 * The fields of an index that have values which a typed text may mean. A search finds fewer values than the index has, so
 * `addNear` adds fields for words that mean none of its values.
 */
export class MeantFields {
  readonly #known: readonly KnownField[];
  readonly #meant: Set<KnownField>;
  readonly #compared = new Set<string>();
  #nearLeft = MAX_NEAR_COMPARED;

  /** @param known all fields, with the values of the whole index */
  constructor(text: string, known: readonly KnownField[]) {
    this.#known = known;
    const words = typedWords(text).map((word) => readWord(word.text));
    this.#meant = new Set(known.filter((one) => words.some((word) => mayMean(word, one))));
  }

  /** In the order of the known fields. */
  get fields(): readonly KnownField[] {
    return this.#known.filter((one) => this.#meant.has(one));
  }

  /** Adds the fields with a value near a word. @returns whether there are any new ones */
  addNear(words: readonly string[]): boolean {
    const before = this.#meant.size;
    for (const word of words) {
      if (this.#compared.has(word) || word.length < MIN_NEAR_LENGTH) continue;
      this.#compared.add(word);
      for (const field of this.#known) {
        const some = field.compared.slice(0, this.#nearLeft);
        this.#nearLeft -= some.length;
        if (nearValues(word, some, 1, nearSlips).length > 0) this.#meant.add(field);
      }
      // Words of names take only what values leave of the bound.
      for (const field of this.#known) {
        if (this.#nearLeft <= 0) break;
        if (this.#meant.has(field)) continue;
        this.#nearLeft -= wordsOf(field).size;
        if (nearestWords(word, wordsOf(field)).length > 0) this.#meant.add(field);
      }
    }
    return this.#meant.size > before;
  }
}

/** A typed word, in the forms that are compared with values. */
interface Word {
  /** The facet whose name stands before a value. */
  readonly name: string | undefined;
  readonly texts: readonly string[];
  /** The first word, and its stem: everything that has the whole text, or all of its words, has these. */
  readonly starts: readonly (readonly string[])[];
}

function readWord(word: string): Word {
  const { name, value = word } = valueOfField(word) ?? {};
  const texts = [...new Set([word, value])];
  const starts = texts.map(folded).flatMap((typed) => {
    return [typed.split(" ").slice(0, 1), stemsOf(typed).slice(0, 1)];
  });
  return {
    name,
    texts: texts.map(lowerCase),
    starts: starts.filter(([start]) => start !== undefined && start !== ""),
  };
}

/** Whether a field has a value that the word, or a name of several words that begins with it, may mean. */
const mayMean = ({ name, texts, starts }: Word, known: KnownField): boolean =>
  name === known.name ||
  texts.some((text) => known.all.has(text)) ||
  known.compared.some((one) => starts.some((start) => hasStems(start, one.texts)));
