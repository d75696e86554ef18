/**
 * Every document that a search finds, as a stream: Solr's /export.
 *
 * /export writes JSON with each value on a line of its own, so a line break never stands inside a
 * document's text and documents can be told apart without parsing them one by one. It reports
 * errors inside a 200, and ends early without a word when Solr dies: both are found here, by the
 * status in its header and by counting, so that a short list never looks complete.
 */
import { SolrUnavailable } from "../errors.js";
import { refusal, type SolrHttp } from "./http.js";

export type SolrDocument = Readonly<Record<string, unknown>>;
export type DocumentBatches = AsyncIterable<readonly SolrDocument[]>;

const HEADER =
  /^\s*\{\s*"responseHeader":\{\s*"status":(\d+)\s*\},\s*"response":\{\s*"numFound":(\d+),\s*"docs":\[/;
const SEPARATOR = "\n    },{\n";
const END = /\}?\s*\]\s*\}\s*\}\s*$/;

/** A header longer than this is none. */
const MAX_HEADER = 100_000;

/** The documents of one /export, in batches as they come. */
class ExportReader {
  #text = "";
  #expected: number | undefined;
  #read = 0;

  /** Takes text, and gives the documents that are complete in it. */
  take(text: string): SolrDocument[] {
    this.#text += text;
    if (this.#expected === undefined && !this.#readHeader()) return [];
    const end = this.#text.lastIndexOf(SEPARATOR);
    if (end < 0) return [];
    const documents = JSON.parse(`[${this.#text.slice(0, end)}}]`) as SolrDocument[];
    this.#text = `{${this.#text.slice(end + SEPARATOR.length)}`;
    this.#read += documents.length;
    return documents;
  }

  /** The last documents; only now is it known that nothing is missing. */
  finish(): SolrDocument[] {
    const end = END.exec(this.#text);
    if (this.#expected === undefined || end === null) throw new SolrUnavailable("export broke off");
    const rest = this.#text.slice(0, end.index).trim();
    const documents = rest === "" ? [] : (JSON.parse(`[${rest}}]`) as SolrDocument[]);
    this.#read += documents.length;
    if (this.#read !== this.#expected) {
      throw new SolrUnavailable(`export gave ${this.#read} of ${this.#expected} documents`);
    }
    return documents;
  }

  #readHeader(): boolean {
    const header = HEADER.exec(this.#text);
    if (header === null) {
      if (this.#text.length > MAX_HEADER) throw new SolrUnavailable("export has no header");
      return false;
    }
    const status = Number(header[1]);
    if (status !== 0) throw refusal(status, this.#text.replace('"EXCEPTION":', '"msg":'));
    this.#expected = Number(header[2]);
    this.#text = this.#text.slice(header[0].length);
    return true;
  }
}

/**
 * Reads an /export to its end.
 *
 * @throws SolrUnavailable when it broke off or lacks documents; else as SolrHttp.stream
 */
export async function* readExport(
  http: SolrHttp,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  const reader = new ExportReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const piece of http.stream({ path, signal })) {
    const documents = reader.take(decoder.decode(piece, { stream: true }));
    if (documents.length > 0) yield documents;
  }
  yield reader.finish();
}
