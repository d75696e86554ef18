/** What can lie in the cart: each is a search, in the words of the API. */
import { literally } from "../../../src/domain/search/lucene.js";

/** Name and value of parameters, in their order, as an address has them. */
export type Pairs = readonly (readonly [name: string, value: string])[];

export type ItemKind = "dataset" | "search" | "file";

export interface CartItem {
  readonly kind: ItemKind;
  readonly flavour: string;
  /** The search that finds it, and nothing else. */
  readonly pairs: Pairs;
  /** What a person knows it by. */
  readonly title: string;
  /** How many files it was when it was put in; undefined where that was not known. */
  readonly files?: number | undefined;
  /** The same of bytes. */
  readonly bytes?: number | undefined;
}

interface Measured {
  readonly files?: number | undefined;
  readonly bytes?: number | undefined;
}

/**
 * A whole dataset, whatever part of it the search had found.
 *
 * @param versions that the person saw: the cart holds these, also when there are newer ones. Without any it holds
 *   the newest there is at the time of the download
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
 * @param multiVersion whether it was found among all versions: an older one is not among the newest
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

/** All that a search finds, at the time of the download. @param title where it has no better one than its parameters */
export function searchItem(
  search: { readonly flavour: string; readonly pairs: Pairs },
  measured: Measured & { readonly title?: string } = {},
): CartItem {
  const { flavour, pairs } = search;
  const words = pairs.map(([name, value]) => `${name}=${value}`).join(", ");
  const title = measured.title ?? (words === "" ? "Everything" : words);
  return { kind: "search", flavour, pairs, title, files: measured.files, bytes: measured.bytes };
}

/** Equal for what finds the same: the order of parameters means nothing. */
export function itemKey({ flavour, pairs }: Pick<CartItem, "flavour" | "pairs">): string {
  const sorted = [...new Set(pairs.map((pair) => JSON.stringify(pair)))].sort();
  return `${flavour} ${sorted.join(" ")}`;
}
