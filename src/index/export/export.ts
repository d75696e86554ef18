/**
 * Reads Solr's answers to /export.
 *
 * They are JSON with each value on its own line. A line break is therefore never part of a value, and documents can be split
 * without parsing them one by one. Errors are reported inside a 200, and when Solr dies, an answer ends early without an error.
 * Both are detected by status and count, so that a short list never looks complete.
 */
import { SolrUnavailable } from "../errors.js";
import { refusal, type SolrHttp, type SolrRequest } from "../transport/http.js";
import { DocumentBatch, SEPARATOR, type SolrDocument } from "./document-batch.js";

/** Batches of documents. */
export interface DocumentBatches extends AsyncIterable<readonly SolrDocument[]> {
  /** The same batches before they are parsed, if none of their documents were left out. Only one of the two can be read. */
  readonly unparsed?: AsyncIterable<DocumentBatch>;
}

/** The count stands behind the documents in some answers with an error. */
const HEADER =
  /^\s*\{\s*"responseHeader":\{\s*"status":(\d+)\s*\},\s*"response":\{\s*(?:"numFound":(\d+),\s*)?"docs":\[/;

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
  readonly #onHeader: (header: RegExpExecArray, bytes: Buffer) => void;
  readonly #field: string | undefined;

  /** @param onHeader is called once the header is complete, with all bytes so far */
  constructor(onHeader: (header: RegExpExecArray, bytes: Buffer) => void, field?: string) {
    this.#onHeader = onHeader;
    this.#field = field;
  }

  /** Adds bytes. @returns the documents that are complete, if there are any */
  take(piece: Uint8Array): DocumentBatch | undefined {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    if (!this.#begun && !this.#readHeader()) return undefined;
    const end = this.#bytes.lastIndexOf(SEPARATOR);
    if (end < 0) return undefined;
    const batch = DocumentBatch.read(this.#bytes.subarray(0, end), this.#field);
    // The brace that begins the next document stays.
    this.#bytes = this.#bytes.subarray(end + SEPARATOR.length - 2);
    return batch;
  }

  /** The last documents. @throws SolrUnavailable if the answer ended early */
  finish(): DocumentBatch {
    const last = beforeEnd(this.#bytes);
    if (!this.#begun || last === undefined) throw new SolrUnavailable("export broke off");
    return last.length === 0 ? DocumentBatch.of([]) : DocumentBatch.read(last, this.#field);
  }

  #readHeader(): boolean {
    // The header has ASCII characters only.
    const header = HEADER.exec(this.#bytes.toString("latin1"));
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

/** An export ended before all of its documents were read. */
export class ShortExport extends SolrUnavailable {}

/**
 * Reads an /export to its end.
 *
 * @param onFound is called with the number of documents, before the first one is read
 * @param field the only field of the documents; left out: they are parsed
 * @throws SolrUnavailable if it broke off or lacks documents; otherwise as SolrHttp.stream
 */
export async function* readExport(
  http: SolrHttp,
  request: SolrRequest,
  onFound: (count: number) => void,
  field?: string,
): AsyncGenerator<DocumentBatch, void, undefined> {
  let expected: number | undefined;
  let count = 0;
  const reader = new DocumentReader(([, status, found], bytes) => {
    if (status !== "0") {
      const text = bytes.toString("utf8");
      throw refusal(Number(status), text.replace('"EXCEPTION":', '"msg":'));
    }
    expected = Number(found);
    onFound(expected);
  }, field);
  for await (const piece of http.stream(request)) {
    const batch = reader.take(piece);
    if (batch === undefined) continue;
    count += batch.length;
    yield batch;
  }
  const last = reader.finish();
  count += last.length;
  yield last;
  if (count !== expected) throw new ShortExport(`export gave ${count} of ${expected} documents`);
}
