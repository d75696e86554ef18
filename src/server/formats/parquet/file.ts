/**
 * Rows -> a Parquet file, as a stream (Apache Parquet, "File Format"). The footer comes last: a file without it is broken for every
 * reader. Row groups are bounded, so memory stays at a few megabytes. bench/parquet.ts compares this writer with a library.
 */
import { ChunkWriter } from "./chunk.js";
import type { ParquetCell, ParquetColumn } from "./column.js";
import { type ColumnChunk, footer, type RowGroup } from "./metadata.js";

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
