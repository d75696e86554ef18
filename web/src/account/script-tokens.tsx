/** Tokens for scripts: create, show once, list, revoke. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "../../../generated/openapi.js";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { CopyButton } from "../parts/code/copy-button.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { useJson } from "../service/answer.js";
import { codeRequest } from "../service/code-request.js";
import { dayWords } from "../service/dates.js";
import { Refused } from "../service/problem.js";
import { sendJson } from "../service/request.js";
import { words } from "../words/account.js";
import { NewToken } from "./new-token.js";

type ScriptToken = components["schemas"]["ScriptToken"];
type Made = components["schemas"]["MadeScriptToken"];

function List({
  tokens,
  revoke,
}: {
  readonly tokens: readonly ScriptToken[];
  readonly revoke: (token: ScriptToken) => void;
}) {
  return (
    <ul class="bare tokens">
      {tokens.map((one) => (
        <li key={one.token_id} class="row">
          <span class="token-name">{one.name}</span>
          <span class="quiet">
            {words.made_} {dayWords(one.created)}, {words.ends.toLowerCase()}{" "}
            {dayWords(one.expires)}
          </span>
          <button type="button" aria-label={words.revokeOf(one.name)} onClick={() => revoke(one)}>
            {words.revoke}
          </button>
        </li>
      ))}
    </ul>
  );
}

async function revoke({ token_id }: ScriptToken): Promise<void> {
  try {
    await sendJson("delete", "/auth/v2/script-tokens/{token_id}", { in: { token_id } });
  } catch (error) {
    // 404: another tab has already revoked it.
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}

export function ScriptTokens() {
  const { value, failure, retry } = useJson("/auth/v2/script-tokens", {});
  const [made, setMade] = useState<Made>();
  const [revoking, setRevoking] = useState<ScriptToken>();
  const tokens = value?.script_tokens ?? [];
  const isNone = failure instanceof Refused && failure.status === 403;
  return (
    <section>
      <h2>{words.tokens}</h2>
      {isNone ? (
        <p>{failure.message}</p>
      ) : (
        <>
          <p>{words.about}</p>
          {failure && <Failure failure={failure} retry={retry} />}
          {made === undefined ? (
            <NewToken
              max={value?.most ?? 1}
              count={tokens.length}
              made={(token) => {
                setMade(token);
                retry();
              }}
            />
          ) : (
            <MadeToken made={made} done={() => setMade(undefined)} />
          )}
          <h3>{words.yours}</h3>
          {value === undefined && !failure && <Busy of={words.asking} />}
          {value !== undefined && tokens.length === 0 && <p class="quiet">{words.none}</p>}
          {tokens.length > 0 && <List tokens={tokens} revoke={setRevoking} />}
        </>
      )}
      {revoking && (
        <ConfirmDialog
          title={words.sure(revoking.name)}
          text={words.surely}
          action={words.revoke}
          close={() => setRevoking(undefined)}
          run={async () => {
            await revoke(revoking);
            announce(words.revoked(revoking.name));
            if (revoking.token_id === made?.token_id) setMade(undefined);
            setRevoking(undefined);
            retry();
          }}
        />
      )}
    </section>
  );
}

function MadeToken({ made, done }: { readonly made: Made; readonly done: () => void }) {
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
