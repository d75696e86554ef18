import { useState } from "preact/hooks";
import { search } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { ShortFailure } from "../parts/failure.js";
import { words } from "../words/cart.js";
import { addToCart, type CartItem, inCart, removeFromCart, searchItem } from "./cart.js";

interface Props {
  readonly item: CartItem;
  /** Labels, by default "Add to cart" and "Remove from cart". */
  readonly names?: readonly [putIn: string, takeOut: string];
}

/** Adds an entry to the cart, or removes it. */
export function InCartButton({ item, names }: Props) {
  const isIn = inCart(item);
  const [isFull, setFull] = useState(false);
  const toggle = (): void => {
    if (isIn) removeFromCart(item);
    const isRefused = !isIn && addToCart(item) === "full";
    setFull(isRefused);
    if (!isRefused) announce(isIn ? words.outOf : words.put);
  };
  const [putIn, takeOut] = names ?? [words.putIn, words.takeOut];
  const { title } = item;
  const label = isIn ? words.takeOutName(title) : words.putInName(title);
  return (
    <>
      <button type="button" aria-label={names ? undefined : label} onClick={toggle}>
        {isIn ? takeOut : putIn}
      </button>
      <ShortFailure text={isFull ? words.full : undefined} />
    </>
  );
}

/** Adds the whole current search to the cart. @param flavour used if the address names none */
export function SearchInCart({ flavour }: { readonly flavour: string }) {
  const item = searchItem({ flavour, pairs: search.value.pairs });
  return <InCartButton item={item} names={[words.putInSearch, words.takeOutSearch]} />;
}
