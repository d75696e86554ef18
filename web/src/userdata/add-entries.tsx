/** Entries that the user writes or pastes: validated while typing, then sent. */
import { useMemo, useState } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { Failure } from "../parts/failure.js";
import { codeRequest } from "../service/code-request.js";
import { Refused } from "../service/problem.js";
import { sendJson } from "../service/request.js";
import { currentUser, signIn } from "../service/session.js";
import { words } from "../words/userdata.js";
import { draft, unsent } from "./draft.js";
import { type Entry, type EntryError, entryErrors, readEntries, readPairs } from "./entries.js";

const PATH = "/databrowser/userdata";
/** Errors shown at once; above this many entries, no code is shown. */
const MAX_LISTED = 50;

export function AddEntries({ added }: { readonly added: () => void }) {
  const { entries: text, facets: facetText } = draft.value;
  const { entries, wrong } = useMemo(() => readEntries(text), [text]);
  const facets = useMemo(() => facetsOf(facetText), [facetText]);
  const [refused, setRefused] = useState<readonly EntryError[]>([]);
  const [failure, setFailure] = useState<Error>();
  const [message, setMessage] = useState("");
  const [busy, setBusy] = useState(false);
  const all = [...wrong, ...refused];
  const isReady = entries.length > 0 && wrong.length === 0 && typeof facets !== "string";
  const body = { user_metadata: entries, ...(Object.keys(facets).length > 0 && { facets }) };
  const change = (part: Partial<typeof draft.value>): void => {
    draft.value = { ...draft.value, ...part };
    setRefused([]);
    setFailure(undefined);
    setMessage("");
  };
  const send = async (): Promise<void> => {
    if (busy) return;
    if (currentUser.value === undefined) return signIn();
    setBusy(true);
    setFailure(undefined);
    try {
      const answer = await sendJson("post", PATH, { body });
      const { status } = (answer ?? {}) as { status?: string };
      // Others may have been written or dropped since.
      change(unsent(text));
      setMessage(status ?? "");
      announce(status ?? "");
      added();
    } catch (error) {
      // Errors have the numbers of the entries that were sent.
      const isSame = error instanceof Refused && draft.value.entries === text;
      setRefused(isSame ? entryErrors(error.problem.errors ?? []) : []);
      setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <label class="userdata-field" for="userdata-entries">
        {words.entries}
      </label>
      <p class="quiet" id="userdata-entries-hint">
        {words.entriesHint}
      </p>
      <textarea
        id="userdata-entries"
        aria-describedby="userdata-entries-hint"
        aria-invalid={all.length > 0}
        rows={8}
        spellcheck={false}
        wrap="off"
        placeholder={words.example}
        value={text}
        onInput={(event) => change({ entries: event.currentTarget.value })}
      />
      <label class="userdata-field">
        {words.facets}
        <input
          type="text"
          value={facetText}
          placeholder={words.facetsHint}
          aria-invalid={typeof facets === "string"}
          onInput={(event) => change({ facets: event.currentTarget.value })}
        />
      </label>
      {typeof facets === "string" && <p class="userdata-bad">{`${words.facets} ${facets}`}</p>}
      <Faults wrong={all} entries={entries} />
      {failure && refused.length === 0 && <Failure failure={failure} retry={send} />}
      <p class="row">
        <button
          type="button"
          class="primary"
          disabled={!isReady && !busy}
          aria-disabled={busy}
          onClick={send}
        >
          {busy ? words.sending : currentUser.value === undefined ? words.signIn : words.send}
        </button>
        <span>{message !== "" ? message : isReady && words.ready(entries.length)}</span>
      </p>
      {isReady && entries.length <= MAX_LISTED && (
        <CodeLines
          requests={[codeRequest(words.send, PATH, { body }, { method: "POST", signed: true })]}
        />
      )}
    </>
  );
}

/** @returns the facets, or what is wrong with them */
function facetsOf(text: string): Entry | string {
  try {
    return readPairs(text);
  } catch (error) {
    return (error as Error).message;
  }
}

function Faults({ wrong, entries }: { wrong: readonly EntryError[]; entries: readonly Entry[] }) {
  if (wrong.length === 0) return null;
  return (
    <div class="failure" role="alert">
      <strong>{words.wrong}</strong>
      <ul>
        {wrong.slice(0, MAX_LISTED).map(({ at, reason }) => {
          const { file } = entries[at] ?? {};
          const name = typeof file === "string" && file !== "" ? ` (${file})` : "";
          return <li key={`${at} ${reason}`}>{`${words.entry(at + 1)}${name}: ${reason}`}</li>;
        })}
      </ul>
    </div>
  );
}
