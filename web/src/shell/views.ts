/** The views of the page: addresses, titles and own parameters. loaders.ts has their components. */
import { words } from "../words/shell.js";
import type paths from "./paths.json";

/** The last part of a view's address, empty for the search. A new view must be added to paths.json as well. */
export type ViewName =
  | ""
  | "coverage"
  | "complete"
  | "cart"
  | "look"
  | "userdata"
  | "flavours"
  | "account";

interface View {
  readonly title: string;
  /** Parameters of its address that are not part of the search. */
  readonly own: readonly string[];
  /** Whether the view shows the search in the address; others keep it for the way back. */
  readonly searches: boolean;
  /** Whether the page header links to it. */
  readonly listed: boolean;
}

export const VIEWS: Readonly<Record<ViewName, View>> = {
  "": {
    title: words.search,
    own: ["datasets_shown", "dataset_open"],
    searches: true,
    listed: true,
  },
  coverage: {
    title: words.coverage,
    own: ["rows", "columns", "cells"],
    searches: true,
    listed: true,
  },
  complete: {
    title: words.complete,
    own: ["group_by", "need", "require_all_on", "near"],
    searches: true,
    listed: true,
  },
  cart: {
    title: words.cart,
    own: ["as", "uniq_key"],
    searches: false,
    listed: true,
  },
  look: {
    title: words.look,
    own: ["id", "look_file", "show", "index", "colours", "range", "at", "view"],
    searches: false,
    listed: false,
  },
  userdata: {
    title: words.userdata,
    own: ["own_file"],
    searches: false,
    listed: true,
  },
  flavours: {
    title: words.flavours,
    own: [],
    searches: false,
    listed: true,
  },
  account: {
    title: words.account,
    own: [],
    searches: false,
    listed: false,
  },
};

/** The service serves the page at these. */
export const PATHS: typeof paths = Object.keys(VIEWS);

export const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
