/** The views of the page: addresses, titles and own parameters. frame.tsx loads their components. */
import { words } from "../words/shell.js";
import type paths from "./paths.json";

/** The last part of a view's address, empty for the search. A new view must be added to paths.json as well. */
export type ViewName =
  | ""
  | "coverage"
  | "complete"
  | "cart"
  | "dataset"
  | "look"
  | "userdata"
  | "flavours"
  | "account";

interface View {
  readonly title: string;
  /** Parameters of its address that are not part of the search. */
  readonly own: readonly string[];
  /** Whether the page header links to it. */
  readonly listed: boolean;
}

export const VIEWS: Readonly<Record<ViewName, View>> = {
  "": {
    title: words.search,
    own: ["datasets_shown", "dataset_open", "sort", "density"],
    listed: true,
  },
  coverage: {
    title: words.coverage,
    own: ["rows", "columns", "cells", "within", "rows_like", "columns_like", "unfolded"],
    listed: true,
  },
  complete: {
    title: words.complete,
    own: ["group_by", "need", "require_all_on", "near"],
    listed: true,
  },
  cart: {
    title: words.cart,
    own: ["as", "uniq_key"],
    listed: true,
  },
  dataset: {
    title: words.dataset,
    own: ["dataset_id"],
    listed: false,
  },
  look: {
    title: words.look,
    own: [
      ...["id", "look_file", "show", "index", "at", "view", "colours", "steps", "scale"],
      ...["range", "units", "mean", "minus", "minus_file"],
    ],
    listed: false,
  },
  userdata: {
    title: words.userdata,
    own: ["own_file"],
    listed: true,
  },
  flavours: {
    title: words.flavours,
    own: [],
    listed: true,
  },
  account: {
    title: words.account,
    own: [],
    listed: false,
  },
};

/** Views that show the search; from the others the way leads to the results. */
export const SEARCHING: readonly ViewName[] = ["", "coverage", "complete"];

/** Views of one dataset or file, whose address has no search. */
export const OF_ONE: readonly ViewName[] = ["dataset", "look"];

/** The service serves the page at these. */
export const PATHS: typeof paths = Object.keys(VIEWS);

export const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
