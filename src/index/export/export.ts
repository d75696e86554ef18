/**
 * Every document that a search finds, as a stream: Solr's /export, or /stream over several shards.
 *
 * Both write JSON with each value on a line of its own, so a line break never stands inside a
 * document's text and documents can be told apart without parsing them one by one. Both report
 * errors inside a 200, and end early without a word when Solr dies or, /stream, when a shard has no
 * living replica: all of these are found here, by status, exception and counting, so that a short
 * list never looks complete.
 */
import { coded } from "../../domain/search/lucene.js";
import { SolrUnavailable } from "../errors.js";
import { refusal, type SolrHttp, type SolrRequest } from "../transport/http.js";

export type SolrDocument = Readonly<Record<string, unknown>>;
export type DocumentBatches = AsyncIterable<readonly SolrDocument[]>;

const EXPORT_HEADER =
  /^\s*\{\s*"responseHeader":\{\s*"status":(\d+)\s*\},\s*"response":\{\s*"numFound":(\d+),\s*"docs":\[/;
const STREAM_HEADER = /^\s*\{\s*"result-set":\{\s*"docs":\[/;
const SEPARATOR = "\n    },{\n";

/** What stands before the end of an answer, `}]}}` or `]}}` with blanks between; undefined where it does not end so. */
function beforeEnd(text: string): string | undefined {
  let rest = text.trimEnd();
  for (const bracket of ["}", "}", "]"]) {
    if (!rest.endsWith(bracket)) return undefined;
    rest = rest.slice(0, -1).trimEnd();
  }
  return rest.endsWith("}") ? rest.slice(0, -1) : rest;
}

/** A header longer than this is none. */
const MAX_HEADER = 100_000;

/** Takes documents out of text, in batches as they come. */
class DocumentReader {
  #text = "";
  #begun = false;
  readonly #header: RegExp;
  readonly #onHeader: (header: RegExpExecArray, text: string) => void;
  readonly #parse: (text: string) => unknown;

  /** @param onHeader hears of the header once it is complete */
  constructor(
    header: RegExp,
    onHeader: (header: RegExpExecArray, text: string) => void,
    parse: (text: string) => unknown = JSON.parse,
  ) {
    this.#header = header;
    this.#onHeader = onHeader;
    this.#parse = parse;
  }

  /** Takes text, and gives the documents that are complete in it. */
  take(text: string): SolrDocument[] {
    this.#text += text;
    if (!this.#begun && !this.#readHeader()) return [];
    const end = this.#text.lastIndexOf(SEPARATOR);
    if (end < 0) return [];
    const documents = this.#parse(`[${this.#text.slice(0, end)}}]`) as SolrDocument[];
    this.#text = `{${this.#text.slice(end + SEPARATOR.length)}`;
    return documents;
  }

  /** The last documents. */
  finish(): SolrDocument[] {
    const last = beforeEnd(this.#text);
    if (!this.#begun || last === undefined) throw new SolrUnavailable("export broke off");
    const rest = last.trim();
    return rest === "" ? [] : (this.#parse(`[${rest}}]`) as SolrDocument[]);
  }

  #readHeader(): boolean {
    const header = this.#header.exec(this.#text);
    if (header === null) {
      if (this.#text.length > MAX_HEADER) throw new SolrUnavailable("export has no header");
      return false;
    }
    this.#onHeader(header, this.#text);
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

/** A list came to its end without all that there is. */
export class ShortExport extends SolrUnavailable {}

function checkCount(read: number, expected: number | undefined): void {
  if (read !== expected) throw new ShortExport(`export gave ${read} of ${expected} documents`);
}

export interface ReadOptions {
  /** For values that JSON.parse would spoil. */
  readonly parse?: (text: string) => unknown;
  /** Hears how many documents there are, before the first of them. */
  readonly onFound?: (count: number) => void;
}

/**
 * Reads an /export, which answers for one shard alone, to its end.
 *
 * @throws SolrUnavailable when it broke off or lacks documents; else as SolrHttp.stream
 */
export async function* readExport(
  http: SolrHttp,
  request: SolrRequest,
  { parse, onFound = () => {} }: ReadOptions = {},
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  let expected: number | undefined;
  let count = 0;
  const reader = new DocumentReader(
    EXPORT_HEADER,
    ([, status, found], text) => {
      if (status !== "0") throw refusal(Number(status), text.replace('"EXCEPTION":', '"msg":'));
      expected = Number(found);
      onFound(expected);
    },
    parse,
  );
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

/** A text as a JSON string that a /stream expression leaves alone. */
const jsonString = (text: string): string => `"${coded(text)}"`;

/**
 * A /stream expression that exports a search over all shards, in the order of `file`.
 *
 * An expression cannot hold every text (org.apache.solr.client.solrj.io.stream.expr.StreamExpressionParser): `\"`
 * in it is always a quote alone, a backtick becomes a quote, blanks at the ends are cut off, a carriage
 * return becomes a line feed, and a line that begins with # is a comment. So the filters, and the file `first` that they
 * name, are given as JSON (Solr's
 * JSON Request API), whose strings hold letters, digits and codes alone. A code is `\u`, which the parser gives back
 * as it is.
 *
 * Solr merges the shards by UTF-16, though each is sorted by code point: a path with a character
 * beyond U+FFFF can stand elsewhere than in a single shard, where another has one of U+E000..U+FFFF.
 */
export function streamExpression(collection: string, parameters: URLSearchParams): string {
  const plain = [...parameters].filter(([name]) => name !== "fq" && name !== "first");
  const first = jsonString(parameters.get("first") ?? "");
  const filters = parameters.getAll("fq").map(jsonString).join(",");
  const json = `{"filter":[${filters}],"params":{"first":${first}}}`;
  const named = [...plain, ["json", json], ["qt", "/export"]] as const;
  const quoted = named.map(([name, value]) => `${name}="${value.replaceAll('"', '\\"')}"`);
  return `search(${collection},${quoted.join(",")})`;
}
