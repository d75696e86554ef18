/** The views of the page. Each row is all that a new view needs beside its folder. */
import type { ComponentType } from "preact";

interface View {
  readonly title: string;
  /** Loads the component. Only the frame calls it. */
  readonly load: () => Promise<ComponentType>;
  /** Parameters of its address that are not part of the search. */
  readonly own: readonly string[];
  /** Whether the page header links to it. */
  readonly listed?: true;
  /** Whether it shows the search; from the others the way leads to the results. */
  readonly searching?: true;
  /** Whether it is about one dataset or file, so that its address has no search. */
  readonly ofOne?: true;
}

/** By the last part of their addresses, empty for the search. The build writes the names into paths.json for the service. */
const TABLE = {
  "": view({
    title: "Search",
    load: async () => (await import("../search/search-view.js")).SearchView,
    own: ["datasets_shown", "dataset_open", "sort", "density"],
    listed: true,
    searching: true,
  }),
  coverage: view({
    title: "Coverage",
    load: async () => (await import("../coverage/coverage-view.js")).CoverageView,
    own: ["rows", "columns", "cells", "within", "rows_like", "columns_like", "unfolded"],
    listed: true,
    searching: true,
  }),
  complete: view({
    title: "Complete models",
    load: async () => (await import("../complete/complete-view.js")).CompleteView,
    own: ["group_by", "need", "require_all_on", "near"],
    listed: true,
    searching: true,
  }),
  cart: view({
    title: "Cart",
    load: async () => (await import("../cart/cart-view.js")).CartView,
    own: ["as", "uniq_key"],
    listed: true,
  }),
  dataset: view({
    title: "Dataset",
    load: async () => (await import("../dataset/dataset-view.js")).DatasetPage,
    own: ["dataset_id"],
    ofOne: true,
  }),
  look: view({
    title: "First look",
    load: async () => (await import("../look/look-view.js")).LookView,
    own: [
      ...["id", "look_file", "show", "index", "at", "view", "colours", "steps", "scale"],
      ...["range", "units", "mean", "minus", "minus_file"],
    ],
    ofOne: true,
  }),
  userdata: view({
    title: "My data",
    load: async () => (await import("../userdata/userdata-view.js")).UserDataView,
    own: ["own_file"],
    listed: true,
  }),
  flavours: view({
    title: "Vocabularies",
    load: async () => (await import("../flavours/flavours-view.js")).FlavoursView,
    own: [],
    listed: true,
  }),
  account: view({
    title: "Account",
    load: async () => (await import("../account/account-view.js")).AccountView,
    own: [],
  }),
};

function view(row: View): View {
  return row;
}

export type ViewName = keyof typeof TABLE;

export const VIEWS: Readonly<Record<ViewName, View>> = TABLE;

export const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
