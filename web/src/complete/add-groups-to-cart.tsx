/** Adds the complete groups to the cart, each as the search that finds its files. */
import { useState } from "preact/hooks";
import { querySearching } from "../address/address.js";
import { addToCart, type CartItem, inCart, searchItem } from "../cart/cart.js";
import { MAX_ITEMS } from "../cart/stored-cart.js";
import { announce } from "../parts/announce.js";
import { withValues } from "../search/constraints.js";
import { words } from "../words/complete.js";
import { type Group, valuesOf } from "./group-table.js";

interface Props {
  readonly flavour: string;
  readonly value: {
    readonly group_by: readonly string[];
    readonly complete: readonly Group[];
  };
}

export function AddGroupsToCart(props: Props) {
  return props.value.complete.length > MAX_ITEMS ? (
    <span>{words.cartFull}</span>
  ) : (
    <AddAll {...props} />
  );
}

function AddAll({ flavour, value }: Props) {
  const [isFull, setFull] = useState(false);
  const { group_by: names, complete } = value;
  const searching = querySearching();
  const items = complete.map((group): CartItem => {
    const query = withValues(searching, valuesOf(names, group));
    query.delete("flavour");
    return searchItem({ flavour, pairs: [...query] });
  });
  const groups = words.groups(complete.length);
  const isThere = items.every(inCart);
  const put = (): void => {
    const became = addToCart(...items);
    setFull(became === "full");
    announce(became === "full" ? words.cartFull : words.inCart(groups));
  };
  return (
    <>
      <button type="button" class="primary" disabled={isThere} onClick={put}>
        {isThere ? words.inCart(groups) : words.putInCart(groups)}
      </button>
      {isFull && <span>{words.cartFull}</span>}
    </>
  );
}
