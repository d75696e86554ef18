/** A section that is closed, and not loaded, until the user opens it. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../words/parts.js";
import { Busy } from "./busy.js";
import { Failure } from "./failure.js";

interface Props {
  readonly title: string;
  readonly load: () => Promise<ComponentType>;
  readonly startsOpen?: boolean;
}

export function Fold({ title, load, startsOpen = false }: Props) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [Content, setContent] = useState<{ readonly of: ComponentType }>();
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
    <details
      class="panel fold"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      {isOpen && Content && <Content.of />}
      {isOpen && !Content && (failure ? <Failure failure={failure} retry={fetchIt} /> : <Busy />)}
    </details>
  );
}
