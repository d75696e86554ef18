import { useState } from "preact/hooks";
import { isAbort } from "../service/problem.js";

/** An action of the user that takes time, one at a time: whether it runs, and why the last one failed. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      if (!isAbort(error)) setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}
