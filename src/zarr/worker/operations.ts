/** What a reading thread does; each operation stands alone, and can be called in any thread. */
import type { ArrayPlan } from "../array-plan.js";
import { type ChunkTable, tableBytes } from "../chunk-table.js";
import { type Documents, makeDocuments } from "../documents.js";
import type { FileIdentity } from "../file-identity.js";
import type { ReaderLimits } from "../file-reader.js";
import { elementCount, type Variable } from "../model.js";
import { appliedFilters, isNative } from "../render/filters.js";
import { type Hdf5Decoder, loadHdf5Decoder } from "../render/hdf5-decoder.js";
import { renderChunk } from "../render/render.js";
import { Source } from "../render/source.js";

export interface FileIndex extends Documents {
  readonly identity: FileIdentity;
  readonly format: "NetCDF-3" | "NetCDF-4/HDF5";
}

/** The documents of a file and the plans of its arrays. @throws ReadingError and file errors */
export function indexFile(path: string, limits?: ReaderLimits, identity?: FileIdentity): FileIndex {
  const source = Source.open(path, identity, limits);
  try {
    const documents = makeDocuments(source.readModel());
    const format = source.hdf5() === undefined ? "NetCDF-3" : "NetCDF-4/HDF5";
    return { ...documents, identity: source.reader.identity, format };
  } finally {
    source.close();
  }
}

/** Where the chunks of a variable lie. @throws ReadingError and file errors */
export function readTable(
  path: string,
  identity: FileIdentity,
  variable: Variable,
  limits?: ReaderLimits,
): ChunkTable {
  const source = Source.open(path, identity, limits);
  try {
    return source.chunkTable(variable);
  } finally {
    source.close();
  }
}

/** Chunk indexes that a thread keeps, in bytes. */
const KEPT = 16 << 20;

/** Renders chunks; keeps the indexes it read last, and the library that decodes. */
export class Renderer {
  private readonly tables = new Map<string, ChunkTable>();
  private decoder: Hdf5Decoder | undefined;

  async render(
    path: string,
    identity: FileIdentity,
    plan: ArrayPlan,
    place: readonly number[],
    limits?: ReaderLimits,
  ): Promise<Uint8Array> {
    if (needsDecoder(plan)) this.decoder ??= await loadHdf5Decoder();
    const source = Source.open(path, identity, limits);
    try {
      const key = JSON.stringify([path, identity, plan.path]);
      const table = this.tables.get(key) ?? source.chunkTable(plan.variable);
      this.keep(key, table);
      return renderChunk(source, plan, place, { table, decoder: this.decoder });
    } finally {
      source.close();
    }
  }

  private keep(key: string, table: ChunkTable): void {
    this.tables.delete(key);
    this.tables.set(key, table);
    let bytes = 0;
    for (const kept of this.tables.values()) bytes += tableBytes(kept);
    for (const [oldest, kept] of this.tables) {
      if (bytes <= KEPT) return;
      this.tables.delete(oldest);
      bytes -= tableBytes(kept);
    }
  }
}

export function needsDecoder({ variable: { storage, shape } }: ArrayPlan): boolean {
  if (storage.kind !== "chunked" || elementCount(shape) === 0) return false;
  return !isNative(appliedFilters(storage.filters, 0));
}
