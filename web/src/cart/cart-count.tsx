import { words } from "../words/cart.js";
import { cart } from "./cart.js";
import { counted, countNow } from "./count-now.js";
import { itemKey } from "./item.js";
import { Stoppable } from "./stoppable.js";

/** Size of the cart as the sum of its entries, with a button to count again. */
export function CartCount() {
  const items = cart.value;
  const amounts = items.map((item) => counted.value.get(itemKey(item)) ?? item);
  const sum = (name: "files" | "bytes"): number =>
    amounts.reduce((all, amount) => all + (amount[name] ?? 0), 0);
  return (
    <div class="cart-count">
      <p>
        <strong>{words.files(sum("files"))}</strong>, {words.bytes(sum("bytes"))}.{" "}
        <small>{words.asPutIn}</small>
      </p>
      <Stoppable
        name={words.count}
        work={async (stop, onDone) => words.counted(await countNow(items, stop, onDone))}
        progress={(done) => words.counting(done, items.length)}
      />
    </div>
  );
}
