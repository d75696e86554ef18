/** The cart view: entries and download. */
import { useRef, useState } from "preact/hooks";
import { href } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { Drawing } from "../parts/drawing.js";
import { Icon } from "../parts/icon.js";
import { words } from "../words/cart.js";
import { cart, clearCart, isKept, setCart } from "./cart.js";
import { CartCount } from "./cart-count.js";
import { CartDownload } from "./cart-download.js";
import { CartList } from "./cart-list.js";
import { type CartItem, itemKey } from "./item.js";

export function CartView() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [cleared, setCleared] = useState<readonly CartItem[]>([]);
  const items = cart.value;
  const clear = (): void => {
    setCleared(clearCart());
    announce(words.cleared(items.length));
    heading.current?.focus();
  };
  const undo = (): void => {
    // Entries added since then stay.
    const known = new Set(cleared.map(itemKey));
    setCart([...cleared, ...cart.value.filter((item) => !known.has(itemKey(item)))]);
    setCleared([]);
    announce(words.undone);
    heading.current?.focus();
  };
  return (
    <div class="cart">
      <h1 tabIndex={-1} ref={heading}>
        {words.title}
      </h1>
      {isKept.value ? null : <p class="quiet">{words.notKept}</p>}
      {cleared.length > 0 && (
        <p class="row cart-undo">
          {words.cleared(cleared.length)}
          <button type="button" onClick={undo}>
            {words.undo}
          </button>
        </p>
      )}
      {items.length === 0 ? (
        <EmptyCart />
      ) : (
        <div class="cart-columns">
          <section aria-labelledby="cart-entries">
            <h2 id="cart-entries">{words.entries(items.length)}</h2>
            <CartCount />
            <CartList after={() => heading.current?.focus()} />
            <button type="button" onClick={clear}>
              {words.clear}
            </button>
          </section>
          <CartDownload />
        </div>
      )}
    </div>
  );
}

/** Explains what the cart is for, and how to fill it. */
function EmptyCart() {
  return (
    <div class="cart-empty">
      <Drawing of="cart" />
      <h2>{words.empty}</h2>
      <p>{words.purpose}</p>
      <ul class="bare">
        <li>
          <Icon of="cart" /> {words.howOne}
        </li>
        <li>
          <Icon of="cart" /> {words.howSearch}
        </li>
      </ul>
      <p>
        <a class="button primary" href={href("")}>
          {words.toSearch}
        </a>
      </p>
    </div>
  );
}
