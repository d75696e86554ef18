import { announce } from "../parts/announce.js";
import { words } from "../words/cart.js";
import { addToCart, type CartItem, inCart, removeFromCart } from "./cart.js";

interface Props {
  readonly item: CartItem;
  /** What puts it in and what takes it out again are called, where "Add to cart" and "Take out" do not say it. */
  readonly names?: readonly [putIn: string, takeOut: string];
}

/** Puts something into the cart, and takes it out again. */
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
