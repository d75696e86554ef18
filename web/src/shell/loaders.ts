/** The component of each view, loaded on first use. */
import type { ComponentType } from "preact";
import type { ViewName } from "./views.js";

export const LOADERS: Readonly<Record<ViewName, () => Promise<ComponentType>>> = {
  "": async () => (await import("../search/search-view.js")).SearchView,
  coverage: async () => (await import("../coverage/coverage-view.js")).CoverageView,
  complete: async () => (await import("../complete/complete-view.js")).CompleteView,
  cart: async () => (await import("../cart/cart-view.js")).CartView,
  look: async () => (await import("../look/look-view.js")).LookView,
  userdata: async () => (await import("../userdata/userdata-view.js")).UserDataView,
  flavours: async () => (await import("../flavours/flavours-view.js")).FlavoursView,
  account: async () => (await import("../account/account-view.js")).AccountView,
};
