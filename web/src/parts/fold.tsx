/** A section that is closed, and not loaded, until the user opens it. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../words/parts.js";
import { Busy } from "./busy.js";
import { Failure } from "./failure.js";

interface Props<P extends object> {
  readonly title: string;
  readonly load: () => Promise<ComponentType<P>>;
  /** Given to what is loaded. */
  readonly props: P;
  readonly startsOpen?: boolean;
  readonly class?: string;
}

export function Fold<P extends object>({
  title,
  load,
  props,
  startsOpen = false,
  class: name = "panel fold",
}: Props<P>) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [Content, setContent] = useState<{ readonly of: ComponentType<P> }>();
  const [failure, setFailure] = useState<Error>();
  const fetchIt = (): void => {
    setFailure(undefined);
    load().then(
      (of) => setContent({ of }),
      () => setFailure(new Error(words.notLoaded)),
    );
  };
  useEffect(() => {
    if (isOpen && Content === undefined) fetchIt();
  }, [isOpen]);
  return (
    <details class={name} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && Content && <Content.of {...props} />}
      {isOpen && !Content && (failure ? <Failure failure={failure} retry={fetchIt} /> : <Busy />)}
    </details>
  );
}
