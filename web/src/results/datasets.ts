/** The datasets of a search. The address holds how many are shown. */
import { computed } from "@preact/signals";
import type { components } from "../../../generated/openapi.js";
import { change, place, search } from "../address/address.js";
import type { AnswerState } from "../service/answer.js";
import { type CodeRequest, codeRequest } from "../service/code-request.js";
import { usePages } from "../service/pages.js";
import { getJson, type Pairs } from "../service/request.js";
import { words } from "../words/results.js";

export type Dataset = components["schemas"]["Dataset"];

const PATH = "/databrowser/datasets/{flavour}";
/** The view's own parameters. */
const SHOWN = "datasets_shown";
const OPEN = "dataset_open";
const SORT = "sort";
const DENSITY = "density";

/** The orders of the service, the default first. */
export const ORDERS = ["name", "size", "newest", "start"] as const;
export type Order = (typeof ORDERS)[number];

export const order = computed(
  (): Order => ORDERS.find((one) => one === place.value.query.get(SORT)) ?? "name",
);

export const sortBy = (chosen: Order): void =>
  change((query) => (chosen === "name" ? query.delete(SORT) : query.set(SORT, chosen)));

/** Whether rows have one line instead of two. */
export const isCompact = computed(() => place.value.query.get(DENSITY) === "compact");

export const setCompact = (isOn: boolean): void =>
  change((query) => (isOn ? query.set(DENSITY, "compact") : query.delete(DENSITY)), {
    replace: true,
  });

/** Datasets per page. */
export const PAGE = 50;
/** The service's limit per request. */
const MAX_AT_ONCE = 500;
export const MAX_SHOWN = 2000;

export interface Found {
  readonly items: readonly Dataset[];
  /** In the whole search; files without a dataset count as one. */
  readonly count: number;
  readonly files: number;
  /** Cursor of the next page; null at the end. */
  readonly after: string | null;
}

/** A short hash of a search. */
function markOf(searchKey: string): string {
  let mark = 0;
  for (let at = 0; at < searchKey.length; at++) {
    mark = (Math.imul(mark, 31) + searchKey.charCodeAt(at)) >>> 0;
  }
  return mark.toString(36);
}

/** The search, and the order of its datasets. */
const sortedPairs = (): Pairs =>
  order.value === "name" ? search.value.pairs : [...search.value.pairs, ["sort", order.value]];

const searchKeyOf = (flavour: string): string => JSON.stringify([flavour, sortedPairs()]);

/** Datasets to show, at least one page. Ignores a number that the address has kept from another search. */
function wanted(searchKey: string): number {
  const [count, mark] = (place.value.query.get(SHOWN) ?? "").split("-");
  const requested = mark === undefined || mark === markOf(searchKey) ? Number(count) : PAGE;
  return Number.isFinite(requested)
    ? Math.min(MAX_SHOWN, Math.max(PAGE, Math.floor(requested)))
    : PAGE;
}

/** Back does not step through it. */
export const showMore = (flavour: string, shown: number): void =>
  change((query) => query.set(SHOWN, `${shown + PAGE}-${markOf(searchKeyOf(flavour))}`), {
    replace: true,
  });

const open = computed(() => new Set(place.value.query.getAll(OPEN)));

export const isShowingFiles = ({ dataset_id }: Dataset): boolean =>
  open.value.has(dataset_id ?? "");

export const showFiles = ({ dataset_id }: Dataset, isShown: boolean): void =>
  change(
    (query) => {
      const others = query.getAll(OPEN).filter((name) => name !== (dataset_id ?? ""));
      query.delete(OPEN);
      for (const name of isShown ? [...others, dataset_id ?? ""] : others) query.append(OPEN, name);
    },
    { replace: true },
  );

export function useDatasets(flavour: string): AnswerState<Found> {
  const pairs = sortedPairs();
  const searchKey = searchKeyOf(flavour);
  const many = wanted(searchKey);
  return usePages<Found>(searchKey, many, async (before, signal) => {
    const known = before?.items ?? [];
    const limit = Math.min(MAX_AT_ONCE, many - known.length);
    const page: Pairs = [
      ["limit", String(limit)],
      ...(before?.after ? [["after", before.after] as const] : []),
    ];
    const answer = await getJson(PATH, { in: { flavour }, query: [...pairs, ...page], signal });
    return {
      items: [...known, ...answer.datasets],
      count: answer.dataset_count + (answer.unnamed_files > 0 ? 1 : 0),
      files: answer.total_count,
      after: answer.after,
    };
  });
}

/** The first request, shown as code. */
export const datasetsRequest = (flavour: string): CodeRequest =>
  codeRequest(words.code, PATH, { in: { flavour }, query: sortedPairs() });
