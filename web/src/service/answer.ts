/** The answer to a view's current request. The previous one stays until the next arrives. */
import { useEffect, useState } from "preact/hooks";
import { connected } from "./connection.js";
import { isAbort } from "./problem.js";
import { type Answer, getJson, type PathsOf, type RequestOptions } from "./request.js";
import { currentUser, signingIn } from "./session.js";

export interface AnswerState<T> {
  /** The latest answer; the previous request's one while the current is pending. */
  readonly value: T | undefined;
  /** Why the current request failed. */
  readonly failure: Error | undefined;
  /** Whether the current request is pending. */
  readonly busy: boolean;
  /** Repeats the request. */
  readonly retry: () => void;
}

/**
 * Sends a request, again when the key changes, somebody signs in or out, or the service returns. Aborts the pending
 * one. While a sign-in is being completed, none is sent: its answer would be that of nobody.
 *
 * @param key identifies the request; undefined sends none
 */
export function useAnswer<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): AnswerState<T> {
  const [state, setState] = useState<Omit<AnswerState<T>, "retry">>({
    value: undefined,
    failure: undefined,
    busy: key !== undefined,
  });
  const [turn, setTurn] = useState(0);
  const who = currentUser.value?.name;
  // When the service returns, only failed requests are repeated.
  const waits = state.failure !== undefined && connected.value;
  useEffect(() => {
    if (key === undefined) {
      setState({ value: undefined, failure: undefined, busy: false });
      return;
    }
    if (signingIn.value) return;
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
  }, [key, who, turn, signingIn.value]);
  const retry = (): void => setTurn((count) => count + 1);
  const [wasLost, setLostIt] = useState(false);
  useEffect(() => {
    if (!connected.value) setLostIt(true);
    else if (wasLost) {
      setLostIt(false);
      if (waits) retry();
    }
  }, [connected.value, wasLost, waits]);
  return { ...state, retry };
}

/** The JSON answer of an operation. @param options undefined sends no request */
export function useJson<P extends PathsOf<"get">>(
  path: P,
  options: RequestOptions | undefined,
): AnswerState<Answer<P>> {
  const key = options && JSON.stringify([path, options]);
  return useAnswer(key, (signal) => getJson(path, { ...options, signal }));
}
