/**
 * Documents as they arrive from Solr, whose text is parsed only if somebody reads them as objects.
 *
 * A list of one field, such as all paths, needs no objects: between two values there is always the same text, which is
 * replaced by a line break in one step.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { SolrUnavailable } from "../errors.js";

export type SolrDocument = Readonly<Record<string, unknown>>;

/** The text between two documents. */
export const SEPARATOR = "\n    },{\n";

export class DocumentBatch {
  /** The values of the only field, each followed by a line break, in UTF-8; undefined if they are not known without parsing. */
  readonly lines: Buffer | undefined;
  /** The value of the last document in `lines`. */
  readonly #last: SolrDocument | undefined;
  readonly #count: number | undefined;
  #text: string;
  #documents: readonly SolrDocument[] | undefined;

  private constructor(text: string, field?: string) {
    this.#text = text;
    const values = field === undefined ? undefined : valuesOf(text, field);
    if (field === undefined || values === undefined) return;
    this.lines = values.lines;
    this.#count = values.count;
    this.#last = { [field]: values.last };
  }

  /** Documents that were parsed elsewhere. */
  static of(documents: readonly SolrDocument[]): DocumentBatch {
    const batch = new DocumentBatch("");
    batch.#documents = documents;
    return batch;
  }

  /**
   * @param bytes JSON of documents, from the brace of the first one to before the brace that ends the last one
   * @param field the only field of the documents, if it holds one text
   * @throws SolrUnavailable if it is not UTF-8
   */
  static read(bytes: Buffer, field?: string): DocumentBatch {
    return new DocumentBatch(textOf(bytes), field);
  }

  get length(): number {
    return this.#count ?? this.documents.length;
  }

  get last(): SolrDocument | undefined {
    return this.#last ?? this.documents.at(-1);
  }

  /** The documents from an index on. */
  slice(start: number): DocumentBatch {
    return DocumentBatch.of(this.documents.slice(start));
  }

  get documents(): readonly SolrDocument[] {
    if (this.#documents === undefined) {
      this.#documents = JSON.parse(`[${this.#text}}]`) as SolrDocument[];
      this.#text = "";
    }
    return this.#documents;
  }
}

/** Batches without their first `count` documents, and without empty batches. */
export async function* without<B extends { readonly length: number; slice(start: number): B }>(
  count: number,
  batches: AsyncIterable<B>,
): AsyncGenerator<B, void, undefined> {
  let left = count;
  for await (const batch of batches) {
    const rest = left > 0 ? batch.slice(left) : batch;
    left -= batch.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

/** Text of bytes in UTF-8. Text of one byte a character takes a tenth of the time of a TextDecoder's, also later. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) throw new SolrUnavailable("export is not UTF-8");
  return bytes.toString("utf8");
}

/** The brace of the first document, and the name of its first member as it is written. */
const BEGINNING = /^\s*\{\n?( *"(\w+)":")/;

/** The values of documents that have only one field; undefined if there is more, or characters that JSON escapes. */
function valuesOf(text: string, field: string) {
  const [head = "", name = "", first] = BEGINNING.exec(text) ?? [];
  const values = text.slice(head.length);
  if (first !== field || !values.endsWith('"') || values.includes("\\")) return undefined;
  const between = `"${SEPARATOR}${name}`;
  // The last quote becomes a line break too.
  const lines = `${values.replaceAll(between, "\n").slice(0, -1)}\n`;
  // Only other members, or values that are no texts, leave a quote.
  if (lines.includes('"')) return undefined;
  const count = 1 + (values.length - lines.length) / (between.length - 1);
  const last = values.slice(values.lastIndexOf('"', values.length - 2) + 1, -1);
  return { lines: Buffer.from(lines), count, last };
}
