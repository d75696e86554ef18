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
import { type BatchFormat, DocumentBatch, SEPARATOR, type SolrDocument } from "./document-batch.js";

/** Batches of documents. */
export interface DocumentBatches extends AsyncIterable<readonly SolrDocument[]> {
  /** The same batches before they are parsed, if none of their documents were left out. Only one of the two can be read. */
  readonly unparsed?: AsyncIterable<DocumentBatch>;
}

const EXPORT_HEADER =
  /^\s*\{\s*"responseHeader":\{\s*"status":(\d+)\s*\},\s*"response":\{\s*"numFound":(\d+),\s*"docs":\[/;
const STREAM_HEADER = /^\s*\{\s*"result-set":\{\s*"docs":\[/;

/** Bytes after which an answer without a header is refused. */
const MAX_HEADER = 100_000;

const BRACE = 0x7d;
const BRACKET = 0x5d;
/** Blanks of JSON: tab, line feed, carriage return, space. */
const BLANKS = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** The bytes before the end of an answer, which is `}]}}` or `]}}` with blanks between; undefined for any other end. */
function beforeEnd(bytes: Buffer): Buffer | undefined {
  let end = bytes.length;
  const skipBlanks = (): void => {
    while (BLANKS.has(bytes[end - 1] ?? 0)) end -= 1;
  };
  const skip = (byte: number): boolean => {
    skipBlanks();
    if (bytes[end - 1] !== byte) return false;
    end -= 1;
    return true;
  };
  if (!(skip(BRACE) && skip(BRACE) && skip(BRACKET))) return undefined;
  // A list without documents has no brace of a last one.
  skip(BRACE);
  skipBlanks();
  return bytes.subarray(0, end);
}

/** Splits bytes into documents, in batches as they arrive. Only whole documents are decoded, so no character is cut. */
class DocumentReader {
  #bytes: Buffer = Buffer.alloc(0);
  #begun = false;
  readonly #header: RegExp;
  readonly #onHeader: (header: RegExpExecArray, bytes: Buffer) => void;
  readonly #format: BatchFormat;

  /** @param onHeader is called once the header is complete, with all bytes so far */
  constructor(
    header: RegExp,
    onHeader: (header: RegExpExecArray, bytes: Buffer) => void,
    format: BatchFormat = {},
  ) {
    this.#header = header;
    this.#onHeader = onHeader;
    this.#format = format;
  }

  /** Adds bytes. @returns the documents that are complete, if there are any */
  take(piece: Uint8Array): DocumentBatch | undefined {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    if (!this.#begun && !this.#readHeader()) return undefined;
    const end = this.#bytes.lastIndexOf(SEPARATOR);
    if (end < 0) return undefined;
    const batch = DocumentBatch.read(this.#bytes.subarray(0, end), this.#format);
    // The brace that begins the next document stays.
    this.#bytes = this.#bytes.subarray(end + SEPARATOR.length - 2);
    return batch;
  }

  /** The last documents. @throws SolrUnavailable if the answer ended early */
  finish(): DocumentBatch {
    const last = beforeEnd(this.#bytes);
    if (!this.#begun || last === undefined) throw new SolrUnavailable("export broke off");
    return last.length === 0 ? DocumentBatch.of([]) : DocumentBatch.read(last, this.#format);
  }

  #readHeader(): boolean {
    // The header has ASCII characters only.
    const header = this.#header.exec(this.#bytes.toString("latin1"));
    if (header === null) {
      if (this.#bytes.length > MAX_HEADER) throw new SolrUnavailable("export has no header");
      return false;
    }
    this.#onHeader(header, this.#bytes);
    this.#bytes = this.#bytes.subarray(header[0].length);
    this.#begun = true;
    return true;
  }
}

async function* read(
  http: SolrHttp,
  request: SolrRequest,
  reader: DocumentReader,
): AsyncGenerator<DocumentBatch, void, undefined> {
  for await (const piece of http.stream(request)) {
    const batch = reader.take(piece);
    if (batch !== undefined) yield batch;
  }
  yield reader.finish();
}

/** An export ended before all of its documents were read. */
export class ShortExport extends SolrUnavailable {}

function checkCount(read: number, expected: number | undefined): void {
  if (read !== expected) throw new ShortExport(`export gave ${read} of ${expected} documents`);
}

interface ReadOptions extends BatchFormat {
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
  { onFound = () => {}, ...format }: ReadOptions = {},
): AsyncGenerator<DocumentBatch, void, undefined> {
  let expected: number | undefined;
  let count = 0;
  const reader = new DocumentReader(
    EXPORT_HEADER,
    ([, status, found], bytes) => {
      if (status !== "0") {
        const text = bytes.toString("utf8");
        throw refusal(Number(status), text.replace('"EXCEPTION":', '"msg":'));
      }
      expected = Number(found);
      onFound(expected);
    },
    format,
  );
  for await (const batch of read(http, request, reader)) {
    count += batch.length;
    yield batch;
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
  for await (const { documents: tuples } of read(http, request, reader)) {
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
 * have another position than in a single shard, if another path has a character of U+E000..U+FFFF.
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
