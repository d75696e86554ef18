import { useEffect, useRef, useState } from "preact/hooks";
import { change, place } from "../address/address.js";
import { put } from "./look-address.js";

/** Milliseconds of rest before the address is written: browsers limit changes per second. */
const REST_DELAY = 200;

/**
 * A parameter that changes many times a second, as with a slider: the value is used at once, and written to the address
 * when it rests.
 */
export function useDelayedParameter(name: string) {
  const stored = place.value.query.get(name) ?? undefined;
  const [present, setPresent] = useState(stored);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // Back and links take effect at once.
    clearTimeout(timer.current);
    setPresent(stored);
  }, [stored]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (text: string | undefined): void => {
    setPresent(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => change((query) => put(query, { [name]: text }), { replace: true }),
      REST_DELAY,
    );
  };
  return [present, write] as const;
}
