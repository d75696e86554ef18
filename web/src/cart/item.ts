/** The entries of a cart. Each is a search in the terms of the API. */
import { literally } from "../../../src/domain/search/lucene.js";
import type { Pairs } from "../service/request.js";

export type ItemKind = "dataset" | "search" | "file";

export interface CartItem {
  readonly kind: ItemKind;
  readonly flavour: string;
  /** A search that finds precisely this entry. */
  readonly pairs: Pairs;
  readonly title: string;
  /** Number of files when the entry was added; undefined if unknown. */
  readonly files?: number | undefined;
  /** Bytes when the entry was added; undefined if unknown. */
  readonly bytes?: number | undefined;
}

type Measured = Pick<CartItem, "files" | "bytes">;

/**
 * A whole dataset, whatever part of it the search found.
 *
 * @param versions versions to keep, even when newer ones appear; without any, the newest at the time of the download
 */
export function datasetItem(
  flavour: string,
  id: string,
  versions: readonly string[] = [],
  measured: Measured = {},
): CartItem {
  const pinned: Pairs =
    versions.length === 0
      ? []
      : [
          ...versions.map((version) => ["version", literally(version)] as const),
          ["multi-version", "true"],
        ];
  const pairs: Pairs = [["dataset_id", literally(id)], ...pinned];
  const title = versions.length === 0 ? id : `${id}, ${versions.join(", ")}`;
  return { kind: "dataset", flavour, pairs, title, ...measured };
}

/**
 * One file.
 *
 * @param multiVersion whether it was found among all versions: an older version is not in the default search
 */
export function fileItem(
  flavour: string,
  file: string,
  multiVersion: boolean,
  measured: Measured = {},
): CartItem {
  const all: Pairs = multiVersion ? [["multi-version", "true"]] : [];
  const pairs: Pairs = [["file", literally(file)], ...all];
  return { kind: "file", flavour, pairs, title: file, ...measured };
}

/** All files of a search at the time of the download. */
export function searchItem(
  search: { readonly flavour: string; readonly pairs: Pairs },
  measured: Measured & { readonly title?: string } = {},
): CartItem {
  const { flavour, pairs } = search;
  const words = pairs.map(([name, value]) => `${name}=${value}`).join(", ");
  const title = measured.title ?? (words === "" ? "Everything" : words);
  return { kind: "search", flavour, pairs, title, files: measured.files, bytes: measured.bytes };
}

/** The same for entries that find the same: the order of parameters does not matter. */
export function itemKey({ flavour, pairs }: Pick<CartItem, "flavour" | "pairs">): string {
  const sorted = [...new Set(pairs.map((pair) => JSON.stringify(pair)))].sort();
  return `${flavour} ${sorted.join(" ")}`;
}
