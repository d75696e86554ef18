/** What a view shows of the service: one question at a time, whose answer stays in sight until the next one is there. */
import { useEffect, useState } from "preact/hooks";
import { connected } from "./connection.js";
import { isAbort } from "./problem.js";
import { holder } from "./session.js";

export interface Shown<T> {
  /** The latest answer, of the question before as long as the present one is on its way. */
  readonly value: T | undefined;
  /** Why there is no answer to the present question. */
  readonly failure: Error | undefined;
  /** Whether the present question is on its way. */
  readonly busy: boolean;
  /** Asks it again. */
  readonly again: () => void;
}

/**
 * Asks, and asks anew whenever the key changes, somebody signs in or out, or a lost service is back; what was on its way is aborted.
 *
 * @param key what the question is; undefined asks nothing
 */
export function useAnswer<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Shown<T> {
  const [state, setState] = useState<Omit<Shown<T>, "again">>({
    value: undefined,
    failure: undefined,
    busy: key !== undefined,
  });
  const [turn, setTurn] = useState(0);
  const who = holder.value?.name;
  // Only what failed is asked again when the service is back.
  const waits = state.failure !== undefined && connected.value;
  useEffect(() => {
    if (key === undefined) {
      setState({ value: undefined, failure: undefined, busy: false });
      return;
    }
    const stop = new AbortController();
    setState(({ value }) => ({ value, failure: undefined, busy: true }));
    load(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ value, failure: undefined, busy: false });
      },
      (error: unknown) => {
        if (stop.signal.aborted || isAbort(error)) return;
        setState(({ value }) => ({ value, failure: error as Error, busy: false }));
      },
    );
    return () => stop.abort();
  }, [key, who, turn]);
  const again = (): void => setTurn((count) => count + 1);
  const [lostIt, setLostIt] = useState(false);
  useEffect(() => {
    if (!connected.value) setLostIt(true);
    else if (lostIt) {
      setLostIt(false);
      if (waits) again();
    }
  }, [connected.value, lostIt, waits]);
  return { ...state, again };
}
