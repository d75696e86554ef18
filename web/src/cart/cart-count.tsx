import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { Failure } from "../parts/failure.js";
import { isAbort } from "../service/problem.js";
import { words } from "../words/cart.js";
import { cart } from "./cart.js";
import { counted, countNow } from "./count-now.js";
import { itemKey } from "./item.js";

/** Size of the cart as the sum of its entries, with a button to count again. */
export function CartCount() {
  const items = cart.value;
  const [done, setDone] = useState<number>();
  const [message, setMessage] = useState("");
  const [failure, setFailure] = useState<Error>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const count = async (): Promise<void> => {
    stop.current = new AbortController();
    setFailure(undefined);
    setMessage("");
    setDone(0);
    try {
      const gone = await countNow(items, stop.current.signal, setDone);
      setMessage(words.counted(gone));
      announce(words.counted(gone));
    } catch (error) {
      if (!isAbort(error)) setFailure(error as Error);
    } finally {
      setDone(undefined);
    }
  };
  const amounts = items.map((item) => counted.value.get(itemKey(item)) ?? item);
  const sum = (name: "files" | "bytes"): number =>
    amounts.reduce((all, amount) => all + (amount[name] ?? 0), 0);
  return (
    <div class="cart-count">
      <p>
        <strong>{words.files(sum("files"))}</strong>, {words.bytes(sum("bytes"))}.{" "}
        <small>{words.asPutIn}</small>
      </p>
      {done === undefined ? (
        <p class="row">
          <button type="button" onClick={count}>
            {words.count}
          </button>
          {message}
        </p>
      ) : (
        <p class="row">
          <button type="button" onClick={() => stop.current?.abort()}>
            {words.stop}
          </button>
          {words.counting(done, items.length)}
        </p>
      )}
      {failure && <Failure failure={failure} />}
    </div>
  );
}
