/** Reads the content of files as far as it is compared: headers, and the sizes of zarr stores. */

import { Datasets } from "../../files/zarr/dataset/datasets.js";
import { eachOf } from "../../platform/concurrency/each-of.js";
import type { Measure } from "../../platform/file-system/file-stats.js";
import { FileSystem, FileSystemError } from "../crawl/tree/file-system.js";
import { isGrib } from "../crawl/tree/found-file.js";
import type { IndexedFile } from "./entry.js";
import type { Inspection } from "./inspect-program.js";
import { type NoHeader, type ReadHeader, readHeader } from "./read-header.js";

interface Contents {
  readonly header: ReadHeader | NoHeader;
  /** Total of a zarr store's files; undefined if it could not be measured. */
  readonly store: Measure | undefined;
}

export type ContentsByFile = ReadonlyMap<string, Contents>;

const CONCURRENCY = 4;
/** Size of the metadata cache. It is small, because no file is read twice. */
const METADATA_BYTES = 8 << 20;

export class ContentsReader {
  readonly #datasets: Datasets;
  readonly #fileSystem: FileSystem;

  /** @param timeout milliseconds that one file may take */
  constructor(timeout: number) {
    this.#datasets = new Datasets({ metadataBytes: METADATA_BYTES, time: timeout });
    this.#fileSystem = new FileSystem({ timeout });
  }

  /** Reads the files that are on disk. Skips archives. */
  async open(
    entries: readonly IndexedFile[],
    seen: ReadonlyMap<string, Inspection>,
  ): Promise<ContentsByFile> {
    const contents = new Map<string, Contents>();
    const open = entries.filter(
      ({ file, isArchived }) => !isArchived && !isGrib(file) && seen.get(file)?.kind === "there",
    );
    await eachOf(open, CONCURRENCY, async ({ file }) => {
      const found = seen.get(file);
      const isStore = found?.kind === "there" && found.isFolder;
      const store = isStore ? await this.#measure(file) : undefined;
      contents.set(file, { header: await readHeader(this.#datasets, file), store });
    });
    return contents;
  }

  async #measure(store: string): Promise<Measure | undefined> {
    try {
      return await this.#fileSystem.measure(store);
    } catch (error) {
      if (error instanceof FileSystemError) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#datasets.close();
    await this.#fileSystem.close();
  }
}
