/**
 * The cart: what somebody wants to take along. It stays in this browser, in `localStorage`, and the tabs follow each
 * other. It holds searches alone: no token, and nothing of the data.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { root } from "../address/address.js";
import { type CartItem, itemKey } from "./item.js";
import { fits, readCart, writeCart } from "./kept.js";

export { type CartItem, datasetItem, fileItem, type Pairs, searchItem } from "./item.js";

/** Several services may lie below one origin. */
const KEPT_AS = `climate-nextgen-cart ${root}`;

/** What became of something that was to be put in. */
export type Added = "added" | "there" | "full";

const items = signal<readonly CartItem[]>(readCart(keptText()));
const keeps = signal(true);

/** What lies in it, the first first. */
export const cart: ReadonlySignal<readonly CartItem[]> = items;

/** Whether it will still be there in another tab; not where the browser keeps nothing, as in some private windows. */
export const isKept: ReadonlySignal<boolean> = keeps;

const keys = computed(() => new Set(items.value.map(itemKey)));

/** Whether it lies in the cart. Read it where something is drawn, and that follows. */
export const inCart = (item: Pick<CartItem, "flavour" | "pairs">): boolean =>
  keys.value.has(itemKey(item));

/** Puts things in, all or, where they are too many, none. */
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

/** Takes one thing out. */
export function removeFromCart(item: Pick<CartItem, "flavour" | "pairs">): void {
  const key = itemKey(item);
  keep(current().filter((one) => itemKey(one) !== key));
}

/** Takes everything out. @returns what was in it, by which `setCart` brings it back */
export function clearCart(): readonly CartItem[] {
  const before = current();
  keep([]);
  return before;
}

/** Has exactly this lie in the cart. */
export const setCart = (all: readonly CartItem[]): void => keep(all);

/** What another tab may have put in since is not lost. */
function current(): readonly CartItem[] {
  return keeps.value ? readCart(keptText()) : items.value;
}

function keep(after: readonly CartItem[]): void {
  try {
    localStorage.setItem(KEPT_AS, writeCart(after));
    keeps.value = true;
  } catch {
    keeps.value = false;
  }
  items.value = after;
}

function keptText(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

addEventListener("storage", ({ key }) => {
  // `null`: everything was deleted.
  if (key === KEPT_AS || key === null) items.value = readCart(keptText());
});
