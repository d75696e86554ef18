/**
 * Rows -> a Parquet file, as a stream (Apache Parquet, "File Format"). The footer comes last: a file without it is broken for every
 * reader. Row groups are bounded, so memory stays at a few megabytes. bench/parquet.ts compares this writer with a library.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type ParquetCell, type ParquetColumn, plain, type Value, valueIn } from "./column.js";
import { bitWidth, hybrid } from "./hybrid.js";
import {
  type ColumnChunk,
  dataPageHeader,
  dictionaryPageHeader,
  ENCODING,
  footer,
  type RowGroup,
} from "./metadata.js";

/** A row group ends at this many rows, or at this many bytes of pages. */
const MAX_GROUP = { rows: 131_072, bytes: 8 << 20 };

/** @param batches rows, with one cell for each column */
export async function* parquetFile(
  columns: readonly ParquetColumn[],
  batches: AsyncIterable<readonly (readonly ParquetCell[])[]>,
): AsyncGenerator<Buffer, void, undefined> {
  const start = Buffer.from("PAR1");
  yield start;
  let offset = start.length;
  const groups: RowGroup[] = [];
  let writers = columns.map((column) => new ChunkWriter(column));
  let rows = 0;

  async function* endGroup(): AsyncGenerator<Buffer, void, undefined> {
    const chunks: ColumnChunk[] = [];
    for (const writer of writers) {
      const { chunk, pieces } = await writer.end();
      chunks.push({ ...chunk, offset });
      offset += chunk.size.packed;
      yield* pieces;
    }
    groups.push({ rows, chunks });
    writers = columns.map((column) => new ChunkWriter(column));
    rows = 0;
  }

  for await (const batch of batches) {
    for (const row of batch) {
      for (const [index, writer] of writers.entries()) writer.add(row[index]);
      rows += 1;
      const full = writers.filter((writer) => writer.isFull);
      // One after the other: the compression of each holds some hundred kilobytes.
      for (const writer of full) await writer.endPage();
      if (full.length === 0 && rows < MAX_GROUP.rows) continue;
      const held = writers.reduce((sum, writer) => sum + writer.held, 0);
      if (rows >= MAX_GROUP.rows || held >= MAX_GROUP.bytes) yield* endGroup();
    }
  }
  if (rows > 0) yield* endGroup();
  yield footer(columns, groups);
}

const compress = promisify(gzip);
const LEVEL = { level: 3 };

/** A page ends at this many values or characters. */
const MAX_PAGE = { values: 1024, characters: 1 << 18 };
/** Bounds of a dictionary. The texts after them are written in full. */
const MAX_DICTIONARY = { texts: 16_384, characters: 1 << 18 };
/** A page is written in full if more than this part of its texts is new to the dictionary. */
const MAX_NEW = 0.5;
/** A page with fewer texts goes into the dictionary even if all of them are new. */
const SMALL_PAGE = 64;

interface Page {
  readonly bytes: Buffer;
  /** Bytes before compression, header included. */
  readonly raw: number;
}

/** A chunk without its offset in the file, and its pages. */
interface WrittenChunk {
  readonly chunk: Omit<ColumnChunk, "offset">;
  readonly pieces: readonly Buffer[];
}

/** Writes one column of one row group: its pages and its dictionary (Apache Parquet, "Data Pages"). */
class ChunkWriter {
  readonly #column: ParquetColumn;
  readonly #dictionary = new Map<string, number>();
  readonly #encodings = new Set<number>([ENCODING.rle]);
  readonly #pages: Page[] = [];
  #inDictionary = 0;
  #usesDictionary: boolean;
  #values: Value[] = [];
  #defined: number[] = [];
  #repeated: number[] = [];
  #characters = 0;
  #count = 0;
  #held = 0;

  constructor(column: ParquetColumn) {
    this.#column = column;
    this.#usesDictionary = column.kind === "text";
  }

  /** Bytes of all finished pages. */
  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#defined.length >= MAX_PAGE.values || this.#characters >= MAX_PAGE.characters;
  }

  add(cell: ParquetCell): void {
    const { kind, list } = this.#column;
    if (!list) {
      const value = valueIn(kind, cell);
      this.#defined.push(value === undefined ? 0 : 1);
      if (value !== undefined) this.#take(value);
      return;
    }
    const values = Array.isArray(cell) ? (cell as readonly string[]) : undefined;
    if (values === undefined || values.length === 0) {
      this.#defined.push(values === undefined ? 0 : 1);
      this.#repeated.push(0);
    }
    values?.forEach((value, index) => {
      this.#defined.push(2);
      this.#repeated.push(index === 0 ? 0 : 1);
      this.#take(value);
    });
  }

  #take(value: Value): void {
    this.#values.push(value);
    if (typeof value === "string" || typeof value === "object") this.#characters += value.length;
  }

  async endPage(): Promise<void> {
    const count = this.#defined.length;
    if (count === 0) return;
    const { list, kind, isRequired } = this.#column;
    const repeated = list ? [levels(this.#repeated, 1)] : [];
    const defined = isRequired ? [] : [levels(this.#defined, list ? 2 : 1)];
    const indices = this.#usesDictionary ? this.#indices(this.#values as string[]) : undefined;
    const values = indices ?? plain(kind, this.#values);
    const encoding = indices === undefined ? ENCODING.plain : ENCODING.dictionary;
    const raw = Buffer.concat([...repeated, ...defined, values]);
    this.#values = [];
    this.#defined = [];
    this.#repeated = [];
    this.#characters = 0;
    this.#count += count;
    this.#encodings.add(encoding);
    const page = await packed(raw, (size) => dataPageHeader(size, count, encoding));
    this.#pages.push(page);
    this.#held += page.bytes.length;
  }

  /** The texts as indices into the dictionary; undefined if they are written in full. */
  #indices(texts: readonly string[]): Buffer | undefined {
    const known = this.#dictionary;
    // A page of nulls alone must not refer to a dictionary that may never be written.
    if (texts.length === 0) return undefined;
    const added = new Map<string, number>();
    let characters = 0;
    const indices = texts.map((value) => {
      const before = known.get(value) ?? added.get(value);
      if (before !== undefined) return before;
      const index = known.size + added.size;
      added.set(value, index);
      characters += value.length;
      return index;
    });
    const size = known.size + added.size;
    this.#usesDictionary =
      size <= MAX_DICTIONARY.texts &&
      this.#inDictionary + characters <= MAX_DICTIONARY.characters &&
      (texts.length < SMALL_PAGE || added.size <= texts.length * MAX_NEW);
    if (!this.#usesDictionary) return undefined;
    for (const [value, index] of added) known.set(value, index);
    this.#inDictionary += characters;
    const width = bitWidth(Math.max(0, size - 1));
    return Buffer.concat([Buffer.from([width]), hybrid(indices, width)]);
  }

  async end(): Promise<WrittenChunk> {
    await this.endPage();
    const texts = [...this.#dictionary.keys()];
    const dictionary =
      texts.length === 0
        ? undefined
        : await packed(plain("text", texts), (size) => dictionaryPageHeader(size, texts.length));
    const pages = [...(dictionary ? [dictionary] : []), ...this.#pages];
    if (dictionary) this.#encodings.add(ENCODING.plain);
    const chunk = {
      encodings: [...this.#encodings],
      values: this.#count,
      size: {
        raw: pages.reduce((sum, { raw }) => sum + raw, 0),
        packed: pages.reduce((sum, { bytes }) => sum + bytes.length, 0),
      },
      dictionary: dictionary?.bytes.length,
    };
    return { chunk, pieces: pages.map(({ bytes }) => bytes) };
  }
}

/** The levels of a page, preceded by their length. */
function levels(numbers: readonly number[], max: number): Buffer {
  const runs = hybrid(numbers, bitWidth(max));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(runs.length);
  return Buffer.concat([length, runs]);
}

async function packed(
  raw: Buffer,
  header: (size: { readonly raw: number; readonly packed: number }) => Buffer,
): Promise<Page> {
  const body = await compress(raw, LEVEL);
  const head = header({ raw: raw.length, packed: body.length });
  return { bytes: Buffer.concat([head, body]), raw: head.length + raw.length };
}
