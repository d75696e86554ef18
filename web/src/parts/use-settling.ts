import { useEffect, useRef, useState } from "preact/hooks";

/** Milliseconds without a move after which the last one is applied. */
const SETTLE_DELAY = 350;

interface Settling<T> {
  /** The latest move, or else the applied value. */
  readonly value: T;
  /** Shows it only. */
  show(value: T): void;
  /** Shows it, and applies it when moves stop. */
  move(value: T): void;
  /** Applies it at once. */
  settle(value: T): void;
  /** Shows the applied value again. */
  drop(): void;
}

/**
 * A value changed step by step by a drag or keys. It is applied when the moves stop, so that Back and the service skip
 * the steps.
 *
 * @param held the applied value; a new one replaces what is shown
 * @param key equal for equal values
 */
export function useSettling<T>(held: T, key: string, take: (value: T) => void): Settling<T> {
  const [draft, setDraft] = useState<{ readonly value: T; readonly key: string }>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(take);
  latest.current = take;
  // Back and links take effect at once.
  useEffect(() => () => clearTimeout(timer.current), [key]);
  const drop = (): void => {
    clearTimeout(timer.current);
    setDraft(undefined);
  };
  const settle = (value: T): void => {
    // From here on it is the applied value, which Back may change.
    drop();
    latest.current(value);
  };
  return {
    value: draft?.key === key ? draft.value : held,
    settle,
    drop,
    show: (value) => {
      clearTimeout(timer.current);
      setDraft({ value, key });
    },
    move: (value) => {
      clearTimeout(timer.current);
      setDraft({ value, key });
      timer.current = setTimeout(() => settle(value), SETTLE_DELAY);
    },
  };
}
