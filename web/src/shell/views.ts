/** The views of the page. Each row is all that a new view needs beside its folder. */
interface View {
  readonly title: string;
  /** Its file and export. The build makes the loaders of them: views import the address, which imports this file. */
  readonly component: `${string}.js#${string}`;
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
  "": {
    title: "Search",
    component: "search/search-view.js#SearchView",
    own: ["datasets_shown", "dataset_open", "sort", "density"],
    listed: true,
    searching: true,
  },
  coverage: {
    title: "Coverage",
    component: "coverage/coverage-view.js#CoverageView",
    own: ["rows", "columns", "cells", "within", "rows_like", "columns_like", "unfolded"],
    listed: true,
    searching: true,
  },
  complete: {
    title: "Complete models",
    component: "complete/complete-view.js#CompleteView",
    own: ["group_by", "need", "require_all_on", "near"],
    listed: true,
    searching: true,
  },
  cart: {
    title: "Cart",
    component: "cart/cart-view.js#CartView",
    own: ["as", "uniq_key", "join", "list_flavour"],
    listed: true,
  },
  dataset: {
    title: "Dataset",
    component: "dataset/dataset-view.js#DatasetPage",
    own: ["dataset_id"],
    ofOne: true,
  },
  look: {
    title: "First look",
    component: "look/look-view.js#LookView",
    own: [
      ...["id", "look_file", "show", "index", "at", "view", "colours", "steps", "scale"],
      ...["range", "units", "mean", "minus", "minus_file", "look_dataset"],
    ],
    ofOne: true,
  },
  userdata: {
    title: "My data",
    component: "userdata/userdata-view.js#UserDataView",
    own: ["own_file"],
    listed: true,
  },
  flavours: {
    title: "Vocabularies",
    component: "flavours/flavours-view.js#FlavoursView",
    own: [],
    listed: true,
  },
  account: {
    title: "Account",
    component: "account/account-view.js#AccountView",
    own: [],
  },
} as const satisfies Readonly<Record<string, View>>;

export type ViewName = keyof typeof TABLE;

export const VIEWS: Readonly<Record<ViewName, View>> = TABLE;

export const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
