import { announce } from "../parts/announce.js";
import { words } from "../words/cart.js";
import { addToCart, type CartItem, inCart, removeFromCart } from "./cart.js";

interface Props {
  readonly item: CartItem;
  /** Labels, by default "Add to cart" and "Remove from cart". */
  readonly names?: readonly [putIn: string, takeOut: string];
}

/** Adds an entry to the cart, or removes it. */
export function InCartButton({ item, names }: Props) {
  const isIn = inCart(item);
  const turn = (): void => {
    if (isIn) removeFromCart(item);
    announce(isIn ? words.outOf : addToCart(item) === "full" ? words.full : words.put);
  };
  const [putIn, takeOut] = names ?? [words.putIn, words.takeOut];
  const { title } = item;
  const label = isIn ? words.takeOutName(title) : words.putInName(title);
  return (
    <button type="button" aria-label={names ? undefined : label} onClick={turn}>
      {isIn ? takeOut : putIn}
    </button>
  );
}
