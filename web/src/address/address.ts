/**
 * The page's state is its address: the view, and the search by the names of the API's parameters. Nothing else holds
 * it, so Back, reload and a copied address show the same.
 */
import { computed, effect, signal } from "@preact/signals";
import { isView, VIEWS, type ViewName } from "../shell/views.js";

export interface Place {
  readonly view: ViewName;
  readonly query: URLSearchParams;
}

export interface Search {
  /** Undefined if the address names none; the service's first flavour then applies. */
  readonly flavour: string | undefined;
  /** Facets, details, `time`, `bbox`, `multi-version` and the like, as sent to the service. */
  readonly pairs: readonly (readonly [string, string])[];
}

/** The path of the page with a trailing slash. Views are one level below it. */
export const root: string = location.pathname.replace(/[^/]*$/, "");

const placeOf = ({ pathname, search }: Location): Place => {
  const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  return { view: isView(name) ? name : "", query: new URLSearchParams(search) };
};

const current = signal<Place>(placeOf(location));

export const place = computed(() => current.value);

/** The search in an address, without the view's own parameters. */
function searchOf({ view, query }: Place): Search {
  const { own } = VIEWS[view];
  const pairs = [...query].filter(([name]) => name !== "flavour" && !own.includes(name));
  return { flavour: query.get("flavour") ?? undefined, pairs };
}

/** The current search. The object is the same as long as the search is. */
let known: { readonly key: string; readonly search: Search } | undefined;
export const search = computed((): Search => {
  const found = searchOf(place.value);
  const key = JSON.stringify(found);
  if (known?.key !== key) known = { key, search: found };
  return known.search;
});

/** The search view as it was last open in this tab. */
let lastResults: Place | undefined;
effect(() => {
  if (place.value.view === "") lastResults = place.value;
});

const isOfOne = (): boolean => VIEWS[place.value.view].ofOne === true;

/** The search that links take along: that of the last results, where one dataset or file is shown. */
export const searchAround = (): Search =>
  isOfOne() && lastResults !== undefined ? searchOf(lastResults) : search.value;

/** The address of the search view; where one dataset or file is shown, as it was last open. */
export const resultsAddress = (): string =>
  href("", isOfOne() ? lastResults?.query : querySearching());

/** The relative address of a view. @param query its parameters; the current search by default */
export function href(view: ViewName, query: URLSearchParams = querySearching()): string {
  const text = query.toString();
  return `${view === "" ? "./" : view}${text === "" ? "" : `?${text}`}`;
}

/** The query string of a search, by default the current one. */
export function querySearching({ flavour, pairs }: Search = search.value): URLSearchParams {
  const query = new URLSearchParams();
  if (flavour !== undefined) query.set("flavour", flavour);
  for (const [name, value] of pairs) query.append(name, value);
  return query;
}

/** Navigates to a view, as a click on its link does. */
export function go(
  view: ViewName,
  query: URLSearchParams = querySearching(),
  { replace = false }: { readonly replace?: boolean } = {},
): void {
  const address = new URL(href(view, query), new URL(root, location.href));
  if (address.href === location.href) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  current.value = placeOf(location);
}

/** Changes the address of the current view. `replace` is for changes that Back must skip, such as those of a slider. */
export function change(
  edit: (query: URLSearchParams) => void,
  options: { readonly replace?: boolean } = {},
): void {
  const query = new URLSearchParams(place.value.query);
  edit(query);
  go(place.value.view, query, options);
}

/** Handles Back, Forward and clicks on links to views. Called once. */
export function followAddress(): void {
  addEventListener("popstate", () => {
    current.value = placeOf(location);
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== "" || link.hasAttribute("download")) return;
    const { origin, pathname, search: text, hash } = new URL(link.href, location.href);
    if (origin !== location.origin || hash !== "" || !pathname.startsWith(root)) return;
    const name = pathname.slice(root.length);
    if (!isView(name)) return;
    event.preventDefault();
    go(name, new URLSearchParams(text));
    scrollTo(0, 0);
  });
}
