import { search } from "../address/address.js";
import { words } from "../words/cart.js";
import { searchItem } from "./cart.js";
import { InCartButton } from "./in-cart-button.js";

/** The present search as a whole, to be taken along. @param flavour its own, where the address names none */
export function SearchInCart({ flavour }: { readonly flavour: string }) {
  const item = searchItem({ flavour, pairs: search.value.pairs });
  return <InCartButton item={item} names={[words.putInSearch, words.takeOutSearch]} />;
}
