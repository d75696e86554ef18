import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words/parts.js";
import { Failure } from "./failure.js";
import { useAction } from "./use-action.js";

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
export function ConfirmDialog({ title, text, action, keep, run: work, close }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Returns the focus to what opened it.
    return () => dialog?.close();
  }, []);
  const { busy, failure, run } = useAction();
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
        <button type="button" class="primary" aria-disabled={busy} onClick={() => run(work)}>
          {action}
        </button>
      </p>
    </dialog>
  );
}
