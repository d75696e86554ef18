import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { Failure } from "../parts/failure.js";
import { isAbort } from "../service/problem.js";
import { words } from "../words/cart.js";

interface Props {
  /** Label of the button that starts it. */
  readonly name: string;
  /** Whether the button stands out, and a failure offers another try. */
  readonly isMain?: boolean;
  /** @returns a message at its end */
  readonly work: (stop: AbortSignal, onDone: (done: number) => void) => Promise<string>;
  /** How far it is. */
  readonly progress: (done: number) => string;
}

/** A button that starts long work, and stops it while it runs. */
export function Stoppable({ name, isMain = false, work, progress }: Props) {
  const [done, setDone] = useState<number>();
  const [message, setMessage] = useState("");
  const [failure, setFailure] = useState<Error>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (): Promise<void> => {
    stop.current = new AbortController();
    setMessage("");
    setFailure(undefined);
    setDone(0);
    try {
      const text = await work(stop.current.signal, setDone);
      setMessage(text);
      announce(text);
    } catch (error) {
      if (!isAbort(error)) setFailure(error as Error);
    } finally {
      setDone(undefined);
    }
  };
  return (
    <>
      <p class="row">
        {done === undefined ? (
          <button type="button" class={isMain ? "primary" : undefined} onClick={start}>
            {name}
          </button>
        ) : (
          <button type="button" onClick={() => stop.current?.abort()}>
            {words.stop}
          </button>
        )}
        {done === undefined ? message : progress(done)}
      </p>
      {failure && <Failure failure={failure} retry={isMain ? start : undefined} />}
    </>
  );
}
