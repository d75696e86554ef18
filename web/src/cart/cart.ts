/**
 * The cart. It is kept in this browser's `localStorage` and shared by its tabs. It holds searches only: no token, no
 * data.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { root } from "../address/address.js";
import { ifAllowed } from "../service/allowed.js";
import { type CartItem, itemKey } from "./item.js";
import { fits, readCart, writeCart } from "./stored-cart.js";

export { type CartItem, datasetItem, fileItem, searchItem } from "./item.js";

/** Several services may share one origin. */
const STORAGE_KEY = `climate-nextgen-cart ${root}`;

type Added = "added" | "there" | "full";

const keptText = (): string | null => ifAllowed(() => localStorage.getItem(STORAGE_KEY)) ?? null;

const items = signal<readonly CartItem[]>(readCart(keptText()));
const keeps = signal(true);

/** Entries in the order they were added. */
export const cart: ReadonlySignal<readonly CartItem[]> = items;

/** False if the browser refuses to store the cart, as in some private windows; it then ends with this tab. */
export const isKept: ReadonlySignal<boolean> = keeps;

const keys = computed(() => new Set(items.value.map(itemKey)));

/** Whether the cart has this entry. Components that call it while rendering follow changes. */
export const inCart = (item: Pick<CartItem, "flavour" | "pairs">): boolean =>
  keys.value.has(itemKey(item));

/** Adds all entries, or none if they do not fit. */
export function addToCart(...added: readonly CartItem[]): Added {
  const before = current();
  const known = new Set(before.map(itemKey));
  const fresh = new Map(added.map((item) => [itemKey(item), item]));
  for (const key of known) fresh.delete(key);
  if (fresh.size === 0) return "there";
  const after = [...before, ...fresh.values()];
  if (!fits(after)) return "full";
  keep(after);
  return "added";
}

export function removeFromCart(item: Pick<CartItem, "flavour" | "pairs">): void {
  const key = itemKey(item);
  keep(current().filter((one) => itemKey(one) !== key));
}

/** Removes all entries. @returns them, so that `setCart` can restore them */
export function clearCart(): readonly CartItem[] {
  const before = current();
  keep([]);
  return before;
}

/** Replaces the entries. */
export const setCart = (all: readonly CartItem[]): void => keep(all);

/** Reads the storage again: another tab may have added entries. */
function current(): readonly CartItem[] {
  return keeps.value ? readCart(keptText()) : items.value;
}

function keep(after: readonly CartItem[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, writeCart(after));
    keeps.value = true;
  } catch {
    keeps.value = false;
  }
  items.value = after;
}

addEventListener("storage", ({ key }) => {
  // `null` means that all storage was cleared.
  if (key === STORAGE_KEY || key === null) items.value = readCart(keptText());
});
