import { useEffect, useRef, useState } from "preact/hooks";
import { href, querySearching } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { words } from "../words/cart.js";
import { cart, removeFromCart } from "./cart.js";
import { counted, measure } from "./count-now.js";
import { type CartItem, itemKey } from "./item.js";

/** So many entries are shown at first, and with each "more". */
const STEP = 100;

/** What is in the cart. @param after takes the focus where no entry is left to have it */
export function CartList({ after }: { readonly after: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(STEP);
  const items = cart.value;
  const remove = (item: CartItem, at: number): void => {
    removeFromCart(item);
    announce(words.removed(item.title));
    // Who works by keyboard goes on with the next one.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll<HTMLButtonElement>("button.remove") ?? [];
      const next = buttons[Math.min(at, buttons.length - 1)];
      if (next) next.focus();
      else after();
    });
  };
  return (
    <>
      <ul class="cart-list" ref={list}>
        {items.slice(0, shown).map((item, at) => (
          <li key={itemKey(item)}>
            <span class="cart-kind">{words.kinds[item.kind]}</span>
            <a href={href("", querySearching(item))}>{item.title}</a>
            <Amount item={item} />
            <button
              type="button"
              class="plain remove"
              aria-label={words.removeOne(item.title)}
              onClick={() => remove(item, at)}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
      {items.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          {words.more(Math.min(STEP, items.length - shown))}
        </button>
      )}
    </>
  );
}

/** How much it is: as counted now, else as when it was put in; where that is not known, it is asked for. */
function Amount({ item }: { readonly item: CartItem }) {
  const key = itemKey(item);
  const { files, bytes } = counted.value.get(key) ?? item;
  useEffect(() => {
    if (files !== undefined) return;
    const stop = new AbortController();
    measure(item, stop.signal).catch(() => {});
    return () => stop.abort();
  }, [key, files === undefined]);
  const text =
    files === undefined
      ? words.unknown
      : files === 0
        ? words.nothing
        : [words.files(files), ...(bytes === undefined ? [] : [words.bytes(bytes)])].join(", ");
  return <span class={files === 0 ? "cart-amount gone" : "cart-amount"}>{text}</span>;
}
