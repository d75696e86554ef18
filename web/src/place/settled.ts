import { useEffect, useRef, useState } from "preact/hooks";

/** Milliseconds without a further move after which it is taken for the last one. */
const CALM = 350;

export interface Settling<T> {
  /** What is shown: the latest move, else what holds. */
  readonly value: T;
  /** Shows it only. */
  show(value: T): void;
  /** Shows it, and takes it over once things are calm. */
  move(value: T): void;
  /** Takes it over now. */
  settle(value: T): void;
}

/**
 * What a drag or keys change step by step: the address hears of it when they rest, so that Back does not walk through each
 * step and the service is not asked for it.
 *
 * @param held what holds; a new one takes the place of whatever is shown
 * @param key equal for the same
 */
export function useSettling<T>(held: T, key: string, take: (value: T) => void): Settling<T> {
  const [draft, setDraft] = useState<{ readonly value: T; readonly key: string }>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (value: T): void => {
    clearTimeout(timer.current);
    setDraft({ value, key });
    latest.current(value);
  };
  return {
    value: draft?.key === key ? draft.value : held,
    settle,
    show: (value) => {
      clearTimeout(timer.current);
      setDraft({ value, key });
    },
    move: (value) => {
      clearTimeout(timer.current);
      setDraft({ value, key });
      timer.current = setTimeout(() => settle(value), CALM);
    },
  };
}
