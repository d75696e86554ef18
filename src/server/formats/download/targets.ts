/** The paths under which downloaded files are saved, below a folder of the client's choice. */
import { hash } from "node:crypto";
import { versioned } from "../../../domain/vocabulary/versioned.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";

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
