import { search } from "../address/address.js";
import { words } from "../words/cart.js";
import { searchItem } from "./cart.js";
import { InCartButton } from "./in-cart-button.js";

/** Adds the whole current search to the cart. @param flavour used if the address names none */
export function SearchInCart({ flavour }: { readonly flavour: string }) {
  const item = searchItem({ flavour, pairs: search.value.pairs });
  return <InCartButton item={item} names={[words.putInSearch, words.takeOutSearch]} />;
}
