/**
 * Reads Solr's answers to /export, and to /stream over several shards.
 *
 * Both write JSON with each value on its own line. A line break is therefore never part of a value, and documents can be split
 * without parsing them one by one. Both report errors inside a 200. Both end early without an error when Solr dies, /stream also
 * when a shard has no living replica. These cases are detected by status, exception and count, so that a short list never
 * looks complete.
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

/** The text before the end of an answer, which is `}]}}` or `]}}` with blanks between; undefined for any other end. */
function beforeEnd(text: string): string | undefined {
  let rest = text.trimEnd();
  for (const bracket of ["}", "}", "]"]) {
    if (!rest.endsWith(bracket)) return undefined;
    rest = rest.slice(0, -1).trimEnd();
  }
  return rest.endsWith("}") ? rest.slice(0, -1) : rest;
}

/** Characters after which a text without a header is refused. */
const MAX_HEADER = 100_000;

/** Splits text into documents, in batches as they arrive. */
class DocumentReader {
  #text = "";
  #begun = false;
  readonly #header: RegExp;
  readonly #onHeader: (header: RegExpExecArray, text: string) => void;
  readonly #parse: (text: string) => unknown;

  /** @param onHeader is called once the header is complete */
  constructor(
    header: RegExp,
    onHeader: (header: RegExpExecArray, text: string) => void,
    parse: (text: string) => unknown = JSON.parse,
  ) {
    this.#header = header;
    this.#onHeader = onHeader;
    this.#parse = parse;
  }

  /** Adds text. @returns the documents that are complete */
  take(text: string): SolrDocument[] {
    this.#text += text;
    if (!this.#begun && !this.#readHeader()) return [];
    const end = this.#text.lastIndexOf(SEPARATOR);
    if (end < 0) return [];
    const documents = this.#parse(`[${this.#text.slice(0, end)}}]`) as SolrDocument[];
    this.#text = `{${this.#text.slice(end + SEPARATOR.length)}`;
    return documents;
  }

  /** The last documents. @throws SolrUnavailable if the text ended early */
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

/** An export ended before all of its documents were read. */
export class ShortExport extends SolrUnavailable {}

function checkCount(read: number, expected: number | undefined): void {
  if (read !== expected) throw new ShortExport(`export gave ${read} of ${expected} documents`);
}

export interface ReadOptions {
  /** Replaces JSON.parse, which loses digits of large numbers. */
  readonly parse?: (text: string) => unknown;
  /** Is called with the number of documents, before the first one is read. */
  readonly onFound?: (count: number) => void;
}

/**
 * Reads an /export, which covers one shard, to its end.
 *
 * @throws SolrUnavailable if it broke off or lacks documents; otherwise as SolrHttp.stream
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
 * @param expected the number of documents; /stream silently omits a dead shard
 * @throws SolrUnavailable if it broke off or lacks documents; otherwise as SolrHttp.stream
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

/** A JSON string that a /stream expression does not interpret. */
const jsonString = (text: string): string => `"${coded(text)}"`;

/** Batches without their first `count` documents, and without empty batches. */
export async function* without(
  count: number,
  batches: DocumentBatches,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  let left = count;
  for await (const documents of batches) {
    const rest = left > 0 ? documents.slice(left) : documents;
    left -= documents.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

/**
 * A /stream expression that exports a search over all shards, in the order of `file`.
 *
 * An expression cannot hold every text (org.apache.solr.client.solrj.io.stream.expr.StreamExpressionParser): `\"` is always a
 * lone quote, a backtick becomes a quote, blanks at the ends are cut off, a carriage return becomes a line feed, and a line that
 * begins with # is a comment. The filters, and the parameter `first` that they name, are therefore sent as JSON (Solr's JSON
 * Request API), whose strings hold only letters, digits, underscores and `\u` codes. The parser keeps these codes.
 *
 * Solr merges the shards by UTF-16, but sorts each shard by code point. A path with a character beyond U+FFFF can therefore
 * have another place than in a single shard, if another path has a character of U+E000..U+FFFF.
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
