/**
 * Every document that a search finds, as a stream: Solr's /export, or /stream over several shards.
 *
 * Both write JSON with each value on a line of its own, so a line break never stands inside a
 * document's text and documents can be told apart without parsing them one by one. Both report
 * errors inside a 200, and end early without a word when Solr dies or, /stream, when a shard has no
 * living replica: all of these are found here, by status, exception and counting, so that a short
 * list never looks complete.
 */
import { SolrUnavailable } from "../errors.js";
import { refusal, type SolrHttp, type SolrRequest } from "./http.js";

export type SolrDocument = Readonly<Record<string, unknown>>;
export type DocumentBatches = AsyncIterable<readonly SolrDocument[]>;

const EXPORT_HEADER =
  /^\s*\{\s*"responseHeader":\{\s*"status":(\d+)\s*\},\s*"response":\{\s*"numFound":(\d+),\s*"docs":\[/;
const STREAM_HEADER = /^\s*\{\s*"result-set":\{\s*"docs":\[/;
const SEPARATOR = "\n    },{\n";
const END = /\}?\s*\]\s*\}\s*\}\s*$/;

/** A header longer than this is none. */
const MAX_HEADER = 100_000;

/** Takes documents out of text, in batches as they come. */
class DocumentReader {
  #text = "";
  #begun = false;

  /** @param onHeader hears of the header once it is complete */
  constructor(
    private readonly header: RegExp,
    private readonly onHeader: (header: RegExpExecArray, text: string) => void,
  ) {}

  /** Takes text, and gives the documents that are complete in it. */
  take(text: string): SolrDocument[] {
    this.#text += text;
    if (!this.#begun && !this.#readHeader()) return [];
    const end = this.#text.lastIndexOf(SEPARATOR);
    if (end < 0) return [];
    const documents = JSON.parse(`[${this.#text.slice(0, end)}}]`) as SolrDocument[];
    this.#text = `{${this.#text.slice(end + SEPARATOR.length)}`;
    return documents;
  }

  /** The last documents. */
  finish(): SolrDocument[] {
    const end = END.exec(this.#text);
    if (!this.#begun || end === null) throw new SolrUnavailable("export broke off");
    const rest = this.#text.slice(0, end.index).trim();
    return rest === "" ? [] : (JSON.parse(`[${rest}}]`) as SolrDocument[]);
  }

  #readHeader(): boolean {
    const header = this.header.exec(this.#text);
    if (header === null) {
      if (this.#text.length > MAX_HEADER) throw new SolrUnavailable("export has no header");
      return false;
    }
    this.onHeader(header, this.#text);
    this.#text = this.#text.slice(header[0].length);
    this.#begun = true;
    return true;
  }
}

async function* read(
  http: SolrHttp,
  request: SolrRequest,
  reader: DocumentReader,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const piece of http.stream(request)) {
    const documents = reader.take(decoder.decode(piece, { stream: true }));
    if (documents.length > 0) yield documents;
  }
  yield reader.finish();
}

function checkCount(read: number, expected: number | undefined): void {
  if (read !== expected) throw new SolrUnavailable(`export gave ${read} of ${expected} documents`);
}

/**
 * Reads an /export, which answers for one shard alone, to its end.
 *
 * @throws SolrUnavailable when it broke off or lacks documents; else as SolrHttp.stream
 */
export async function* readExport(
  http: SolrHttp,
  request: SolrRequest,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  let expected: number | undefined;
  let count = 0;
  const reader = new DocumentReader(EXPORT_HEADER, ([, status, found], text) => {
    if (status !== "0") throw refusal(Number(status), text.replace('"EXCEPTION":', '"msg":'));
    expected = Number(found);
  });
  for await (const documents of read(http, request, reader)) {
    count += documents.length;
    yield documents;
  }
  checkCount(count, expected);
}

/**
 * Reads a /stream over several shards to its end.
 *
 * @param expected how many documents there are; /stream itself leaves out a dead shard silently
 * @throws SolrUnavailable when it broke off or lacks documents; else as SolrHttp.stream
 */
export async function* readStream(
  http: SolrHttp,
  request: SolrRequest,
  expected: number,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  const reader = new DocumentReader(STREAM_HEADER, () => {});
  let count = 0;
  let ended = false;
  for await (const tuples of read(http, request, reader)) {
    const documents = tuples.filter((tuple) => tuple.EOF !== true);
    const last = tuples.find((tuple) => tuple.EOF === true);
    if (last?.EXCEPTION !== undefined) throw refusal(500, String(last.EXCEPTION));
    ended ||= last !== undefined;
    count += documents.length;
    yield documents;
  }
  if (!ended) throw new SolrUnavailable("stream broke off");
  checkCount(count, expected);
}

/**
 * A /stream expression that exports a search over all shards.
 *
 * In an expression `\"` stands for a quote and a backslash for itself, so a quote inside a value of
 * the query is written as its code instead, and a text cannot end in a backslash.
 */
export function streamExpression(collection: string, parameters: URLSearchParams): string {
  const quoted = [...parameters, ["qt", "/export"] as const].map(([name, value]) => {
    const text = value.replaceAll(/\\(["\\])/g, (pair, escaped) =>
      escaped === '"' ? "\\u0022" : pair,
    );
    return `${name}="${text.replaceAll('"', '\\"')}${text.endsWith("\\") ? " " : ""}"`;
  });
  return `search(${collection},${quoted.join(",")})`;
}
