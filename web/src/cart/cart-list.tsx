import { useEffect, useRef, useState } from "preact/hooks";
import { href, querySearching } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { words } from "../words/cart.js";
import { cart, removeFromCart } from "./cart.js";
import { counted, measure } from "./count-now.js";
import { DownloadButton } from "./file-download.js";
import { type CartItem, itemKey } from "./item.js";

/** Entries shown at first, and added by each "Show more". */
const STEP = 100;

/** The entries of the cart. @param after takes the focus when no entry is left */
export function CartList({ after }: { readonly after: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(STEP);
  const items = cart.value;
  const remove = (item: CartItem, at: number): void => {
    removeFromCart(item);
    announce(words.removed(item.title));
    // Keyboard users continue at the next entry.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll<HTMLButtonElement>("button.remove") ?? [];
      const next = buttons[Math.min(at, buttons.length - 1)];
      if (next) next.focus();
      else after();
    });
  };
  return (
    <>
      <ul class="bare cart-list" ref={list}>
        {items.slice(0, shown).map((item, at) => (
          <li key={itemKey(item)}>
            <span class="quiet">{words.kinds[item.kind]}</span>
            <a href={href("", querySearching(item))}>{item.title}</a>
            <Amount item={item} />
            {item.kind === "file" && <DownloadButton search={item} name={item.title} kind="file" />}
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

/** Size of an entry: as just counted, or as stored when it was added. Unknown sizes are requested. */
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
  return <span class={files === 0 ? "quiet cart-amount gone" : "quiet cart-amount"}>{text}</span>;
}
