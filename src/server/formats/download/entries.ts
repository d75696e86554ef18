/** The files of a list, as all forms of a download describe them. */
import { basename } from "node:path";
import { datasetId } from "../../../files/zarr/address.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import { localPath } from "../../access/local-path.js";
import { type Layout, Targets } from "./targets.js";

export const DOWNLOAD_FIELDS = [
  "file",
  "uri",
  "format",
  "size",
  "checksum",
  "dataset_id",
  "version",
] as const;

export interface DownloadEntry {
  readonly id: string;
  /** The name of the file, without its folder. */
  readonly name: string;
  /** The path on the service's machine. */
  readonly path: string;
  /** The segments of the path on the client's machine. */
  readonly target: readonly string[];
  /** Bytes, if the index knows them. */
  readonly size: number | undefined;
  /** An algorithm and its digits, if the index knows a checksum. */
  readonly checksum: string | undefined;
}

/** Totals of a whole list, known at its end. */
export interface Totals {
  files: number;
  /** Sum of the known sizes. */
  bytes: number;
  /** Files whose size is not known. */
  unsized: number;
  /** Zarr stores, which cannot be downloaded as files. */
  stores: number;
  /** Entries whose data are not on the service's machine. */
  elsewhere: number;
}

/** The text of the files among documents, one piece for each batch. Counts them, and what is left out, in `totals`. */
export async function* entryTexts(
  batches: DocumentBatches,
  layout: Layout,
  totals: Totals,
  write: (entry: DownloadEntry) => string,
): AsyncGenerator<string, void, undefined> {
  const targets = new Targets(layout);
  for await (const documents of batches) {
    let text = "";
    for (const document of documents) {
      const path = localPath(document);
      if (path === undefined) totals.elsewhere += 1;
      else if (isStore(document, path)) totals.stores += 1;
      else {
        const entry = entryOf(document, path, targets);
        totals.files += 1;
        totals.bytes += entry.size ?? 0;
        if (entry.size === undefined) totals.unsized += 1;
        text += write(entry);
      }
    }
    yield text;
  }
}

export const noTotals = (): Totals => ({ files: 0, bytes: 0, unsized: 0, stores: 0, elsewhere: 0 });

export const isStore = ({ format }: SolrDocument, path: string): boolean =>
  String(format).toLowerCase() === "zarr" || path.endsWith(".zarr");

/** V8 keeps objects that are built by spreading until its next full collection: 50 MB for 100,000 files. */
function entryOf(document: SolrDocument, path: string, targets: Targets): DownloadEntry {
  const { size, checksum } = document;
  const id = datasetId(String(document.file));
  const name = basename(path);
  return {
    id,
    name,
    path,
    target: targets.of(document, id, name),
    size: size === undefined ? undefined : Number(size),
    checksum: typeof checksum === "string" ? checksum : undefined,
  };
}
