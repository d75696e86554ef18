import { useEffect, useState } from "preact/hooks";
import { connected } from "../service/connection.js";
import { nextTry, tryNow } from "../service/watch.js";
import { words } from "../words/shell.js";

/** Milliseconds to show that the service is back. */
const SHOWN_BACK_FOR = 4000;

/** Tells when the service is lost, and when it is back. */
export function Connection() {
  const isThere = connected.value;
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (!isThere) {
      setWasLost(true);
      return;
    }
    if (!wasLost) return;
    const timer = setTimeout(() => setWasLost(false), SHOWN_BACK_FOR);
    return () => clearTimeout(timer);
  }, [isThere]);
  if (isThere)
    return wasLost ? (
      <section class="connection back" aria-label={words.connection}>
        <span role="status">{words.back}</span>
      </section>
    ) : null;
  return (
    <section class="connection row" aria-label={words.connection}>
      {/* Without the seconds, which a screen reader would read one by one. */}
      <span role="alert">
        <strong>{words.lost}</strong> {words.kept}
      </span>
      <span>{words.next(nextTry.value ?? 1)}</span>
      <button type="button" onClick={tryNow}>
        {words.now}
      </button>
    </section>
  );
}
