import { useEffect, useRef, useState } from "preact/hooks";
import { change, place } from "../address/address.js";
import { put } from "./look-address.js";

/** Browsers take only so many changes of the address in a second: milliseconds of rest before it is written. */
const REST = 200;

/**
 * A parameter of the address that changes many times in a second, as a slider does: it holds at once, and stands in the address when
 * it rests.
 */
export function useWritten(name: string) {
  const stored = place.value.query.get(name) ?? undefined;
  const [present, setPresent] = useState(stored);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // Back, or another link, holds at once as well.
    clearTimeout(timer.current);
    setPresent(stored);
  }, [stored]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (text: string | undefined): void => {
    setPresent(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => change((query) => put(query, { [name]: text }), { replace: true }),
      REST,
    );
  };
  return [present, write] as const;
}
