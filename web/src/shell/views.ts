/** The views of the page: the one table of their addresses, titles and own parameters. What draws them is in loaders.ts. */
import { words } from "../words/shell.js";
import type paths from "./paths.json";

/** The last part of a view's address; of the search it is empty. One that is added here is added to paths.json, too. */
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
  /** Parameters of its address that are not the search's. */
  readonly own: readonly string[];
  /** Whether the search in the address is what it shows; others keep it for the way back. */
  readonly searches: boolean;
  /** Where the head of the page leads. */
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

/** The service serves these. */
export const PATHS: typeof paths = Object.keys(VIEWS);

export const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
