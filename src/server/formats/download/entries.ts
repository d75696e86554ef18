/** The files of a list, as all forms of a download describe them. */
import { hash } from "node:crypto";
import { basename } from "node:path";
import { versioned } from "../../../domain/vocabulary/versioned.js";
import { datasetId } from "../../../files/zarr/address.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import { localPath } from "../../access/local-path.js";

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

/** `drs`: a folder for each part of the dataset's name, and for its version; `flat`: no folders. */
export type Layout = "drs" | "flat";

/** Paths that are remembered, in about 50 bytes each. Further ones get a folder of their own. */
const MAX_KNOWN = 1_000_000;

/** A text as the name of a folder or a file on the client's machine. A separator would lead elsewhere. */
function safe(text: string): string {
  const name = text.toWellFormed().replace(/[/\0]/g, "_");
  return name === "" || name === "." || name === ".." ? "_" : name;
}

/** Bytes that stand for themselves in a line, in every shell and in `printf %b`. */
const PLAIN = /^[\w./+=@,:~-]+$/;

/** A path for `printf %b` (POSIX): all but harmless characters are octal numbers. */
export function escaped(path: string): string {
  if (PLAIN.test(path)) return path;
  let text = "";
  for (const byte of Buffer.from(path)) {
    const one = String.fromCharCode(byte);
    text += byte < 128 && PLAIN.test(one) ? one : `\\0${byte.toString(8).padStart(3, "0")}`;
  }
  return text;
}

/** Gives each file of a list a path that no other one has, also where names are equal regardless of case. */
export class Targets {
  readonly #known = new Set<number>();
  readonly #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The segments of the path. @param id of the data set, the folder of a file whose path is taken */
  of(document: SolrDocument, id: string, name: string): readonly string[] {
    const path = [...this.#folders(document), safe(name)];
    const key = path.join("/").normalize("NFC").toLowerCase();
    const digest = Number.parseInt(hash("md5", key, "hex").slice(0, 12), 16);
    if (this.#known.has(digest) || this.#known.size >= MAX_KNOWN) {
      return [...path.slice(0, -1), id, safe(name)];
    }
    this.#known.add(digest);
    return path;
  }

  #folders({ dataset_id: dataset, version }: SolrDocument): readonly string[] {
    if (this.#layout === "flat" || typeof dataset !== "string" || dataset === "") return [];
    // The version is a folder of its own, whatever characters it has.
    const end = versioned("", version)?.slice(1) ?? "";
    return [...dataset.split("."), ...(end === "" ? [] : [end])].map(safe);
  }
}
