/** A new token, to be copied, with an example of its use. */
import { useEffect, useRef } from "preact/hooks";
import type { components } from "../../../generated/openapi.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { CopyButton } from "../parts/code/copy-button.js";
import { codeRequest } from "../service/code-request.js";
import { words } from "../words/account.js";

interface Props {
  readonly made: components["schemas"]["MadeScriptToken"];
  readonly done: () => void;
}

export function MadeToken({ made, done }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus here: the token is shown only once.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="panel made-token">
      <h3 ref={heading} tabIndex={-1}>
        {words.made(made.name)}
      </h3>
      <p>{words.once}</p>
      <div class="row">
        <label class="token-text">
          {words.token}
          <input readOnly value={made.token} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <CopyButton text={made.token} name={words.copy} />
      </div>
      <CodeLines requests={[codeRequest(words.try, "/auth/v2/status", {}, { signed: true })]} />
      <button type="button" onClick={done}>
        {words.done}
      </button>
    </div>
  );
}
