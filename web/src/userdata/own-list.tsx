/** The user's registered files: find by path, delete. */
import { useState } from "preact/hooks";
import { literally } from "../../../src/domain/search/lucene.js";
import { change, place } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { ScrollingTable } from "../parts/scrolling.js";
import { useDraft } from "../parts/use-draft.js";
import { useAnswer } from "../service/answer.js";
import { codeRequest } from "../service/code-request.js";
import { writtenPeriod } from "../service/dates.js";
import { getJson, type Pairs, sendJson } from "../service/request.js";
import { words } from "../words/userdata.js";

const LIST = "/databrowser/extended-search/{flavour}/{uniq_key}";
const IN = { flavour: "user", uniq_key: "file" };
const COLUMNS = ["file", "variable", "time", "time_frequency", "project"] as const;
/** Files per page. */
const PAGE = 50;

/** The documents to delete, and a description of them. */
interface PendingDeletion {
  readonly body: Readonly<Record<string, string>>;
  readonly count: number;
  readonly what: string;
}

export function OwnList({ name, changes }: { readonly name: string; readonly changes: number }) {
  const pattern = place.value.query.get("own_file") ?? "";
  const path = useDraft({ path: pattern });
  const [limit, setLimit] = useState(PAGE);
  const [deletion, setDeletion] = useState<PendingDeletion>();
  const [deleted, setDeleted] = useState(0);
  const own: Pairs = [
    ["user", literally(name)],
    ...(pattern === "" ? [] : [["file", pattern] as const]),
  ];
  const query: Pairs = [...own, ["fields", COLUMNS.join(",")], ["limit", String(limit)]];
  const key = JSON.stringify([query, changes, deleted]);
  const { value, failure, busy, retry } = useAnswer(key, async (signal) => ({
    ...(await getJson(LIST, { in: IN, query, signal })),
    key,
  }));
  // An earlier answer has the count of another pattern or user.
  const isCurrent = value?.key === key;
  const total = value?.total_count ?? 0;
  return (
    <section aria-labelledby="userdata-own">
      <h2 id="userdata-own">{words.own}</h2>
      <label class="userdata-field">
        {words.path}
        <input
          type="search"
          value={path.texts.path}
          placeholder={words.pathHint}
          {...path.around}
          onInput={(event) => path.write("path", event.currentTarget.value)}
          onChange={(event) => {
            const text = event.currentTarget.value.trim();
            path.drop();
            change((query) =>
              text === "" ? query.delete("own_file") : query.set("own_file", text),
            );
          }}
        />
      </label>
      {failure && <Failure failure={failure} retry={retry} />}
      {value === undefined ? (
        busy && <Busy />
      ) : total === 0 ? (
        <p>{words.none}</p>
      ) : (
        <>
          <p class="row">
            <strong>{words.found(total)}</strong>
            <button
              type="button"
              aria-disabled={!isCurrent}
              onClick={() =>
                isCurrent &&
                setDeletion({
                  body: pattern === "" ? {} : { file: pattern },
                  count: total,
                  what: pattern === "" ? words.everything : pattern,
                })
              }
            >
              {words.removeAll(total)}
            </button>
          </p>
          <OwnTable
            documents={value.documents}
            remove={(file) =>
              setDeletion({ body: { file: literally(file) }, count: 1, what: file })
            }
          />
          {total > value.documents.length && (
            <button type="button" onClick={() => setLimit(limit + 4 * PAGE)}>
              {words.more}
            </button>
          )}
        </>
      )}
      <CodeLines requests={[codeRequest(words.own, LIST, { in: IN, query }, { signed: true })]} />
      {deletion && (
        <ConfirmDialog
          title={words.sure}
          text={words.sureOf(deletion.count, deletion.what)}
          action={words.yes}
          keep={words.no}
          close={() => setDeletion(undefined)}
          run={async () => {
            const answer = await sendJson("delete", "/databrowser/userdata", {
              body: deletion.body,
            });
            const { status } = (answer ?? {}) as { status?: string };
            announce(status ?? "");
            setDeleted(deleted + 1);
            setDeletion(undefined);
          }}
        />
      )}
    </section>
  );
}

type Documents = readonly Readonly<Record<string, unknown>>[];

const shownOf = (name: (typeof COLUMNS)[number], value: unknown): string => {
  const text = [value ?? ""].flat().join(", ");
  return name === "time" ? writtenPeriod(text) : text;
};

function OwnTable(props: {
  readonly documents: Documents;
  readonly remove: (file: string) => void;
}) {
  return (
    <ScrollingTable
      label={words.table}
      columns={[
        ...COLUMNS.map((name) => words.columns[name]),
        { name: words.columns.actions, isHidden: true },
      ]}
    >
      {props.documents.map((document) => {
        const file = String(document.file);
        return (
          <tr key={file}>
            {COLUMNS.map((name) => (
              <td key={name}>{shownOf(name, document[name])}</td>
            ))}
            <td>
              <button
                type="button"
                class="plain"
                aria-label={words.removeOne(file)}
                onClick={() => props.remove(file)}
              >
                {words.remove}
              </button>
            </td>
          </tr>
        );
      })}
    </ScrollingTable>
  );
}
