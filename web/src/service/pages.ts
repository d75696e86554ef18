/** A list that is loaded page by page. */
import { useRef } from "preact/hooks";
import { type AnswerState, useAnswer } from "./answer.js";

interface Pages<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null at the end. */
  readonly after: string | null;
}

/**
 * Loads the missing pages only.
 *
 * @param key identifies the list
 * @param many items to load
 * @param next loads one page more
 */
export function usePages<P extends Pages<unknown>>(
  key: string,
  many: number,
  next: (before: P | undefined, signal: AbortSignal) => Promise<P>,
): AnswerState<P> {
  const kept = useRef<{ readonly key: string; readonly found: P } | undefined>(undefined);
  return useAnswer(`${many} ${key}`, async (signal) => {
    const known = kept.current?.key === key ? kept.current.found : undefined;
    // A retry starts from the first page: the index may have changed.
    const isAgain = known === undefined || known.items.length >= many || known.after === null;
    let found = isAgain ? undefined : known;
    while (found === undefined || (found.after !== null && found.items.length < many)) {
      found = await next(found, signal);
      kept.current = { key, found };
    }
    return found;
  });
}
