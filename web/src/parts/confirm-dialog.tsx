import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../words/parts.js";
import { Failure } from "./failure.js";

interface Props {
  readonly title: string;
  readonly text: string;
  /** Labels of the buttons; without `keep`, only the action is offered. */
  readonly action: string;
  readonly keep?: string;
  readonly run: () => Promise<void>;
  readonly close: () => void;
}

/** Asks before an action that cannot be undone, and shows why it failed. Escape closes it, and the focus returns. */
export function ConfirmDialog({ title, text, action, keep, run, close }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Returns the focus to what opened it.
    return () => dialog?.close();
  }, []);
  const [failure, setFailure] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await run();
    } catch (error) {
      setFailure(error as Error);
      setBusy(false);
    }
  };
  return (
    <dialog ref={element} aria-labelledby={heading} onClose={close}>
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" onClick={() => element.current?.close()}>
          {words.close}
        </button>
      </header>
      <p>{text}</p>
      {failure && <Failure failure={failure} />}
      <p class="row">
        {keep !== undefined && (
          <button type="button" onClick={close}>
            {keep}
          </button>
        )}
        <button type="button" class="primary" aria-disabled={busy} onClick={go}>
          {action}
        </button>
      </p>
    </dialog>
  );
}
