import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { send } from "../service/request.js";
import { words } from "../words/flavours.js";
import type { Definition } from "./definition.js";

interface Props {
  readonly flavour: Definition;
  readonly done: (text: string) => void;
  readonly close: () => void;
}

/** Asks for confirmation before deleting a flavour. */
export function FlavourDeletion({ flavour, done, close }: Props) {
  const [failure, setFailure] = useState<Error>();
  const { flavour_name: name, is_global: isGlobal } = flavour;
  const go = async (): Promise<void> => {
    try {
      const query = isGlobal ? ([["is_global", "true"]] as const) : [];
      await send("delete", "/databrowser/flavours/{flavour}", { in: { flavour: name }, query });
      done(words.removed(name));
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <Dialog title={words.sure(name)} close={close}>
      <p>{words.sureOf}</p>
      {failure && <Failure failure={failure} />}
      <p class="row">
        <button type="button" onClick={close}>
          {words.keep}
        </button>
        <button type="button" class="primary" onClick={go}>
          {words.remove}
        </button>
      </p>
    </Dialog>
  );
}
