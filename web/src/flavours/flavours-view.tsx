/** The flavours view: list all, and create, change or delete your own. */
import { useRef, useState } from "preact/hooks";
import { href, querySearching } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { NeedsSignIn } from "../parts/needs-sign-in.js";
import { ScrollingTable } from "../parts/scrolling.js";
import { useJson } from "../service/answer.js";
import { codeRequest } from "../service/code-request.js";
import { type Definition, flavoursChanged } from "../service/flavours.js";
import { currentUser } from "../service/session.js";
import { words } from "../words/flavours.js";
import { deleteFlavour, FlavourForm } from "./flavour-form.js";

const PATH = "/databrowser/flavours";

export function FlavoursView() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [edited, setEdited] = useState<Definition | "new">();
  const [removed, setRemoved] = useState<Definition>();
  const { value, failure, retry } = useJson(PATH, {});
  const done = (text: string): void => {
    setEdited(undefined);
    setRemoved(undefined);
    retry();
    flavoursChanged();
    announce(text);
    heading.current?.focus();
  };
  const close = (): void => {
    setEdited(undefined);
    heading.current?.focus();
  };
  return (
    <div class="flavours">
      <h1 tabIndex={-1} ref={heading}>
        {words.title}
      </h1>
      <p>{words.lead}</p>
      {currentUser.value === undefined ? (
        <NeedsSignIn why={words.needsSignIn} action={words.signIn} />
      ) : (
        edited === undefined && (
          <p>
            <button type="button" class="primary" onClick={() => setEdited("new")}>
              {words.make}
            </button>
          </p>
        )
      )}
      {edited !== undefined && (
        <FlavourForm
          key={edited === "new" ? "" : edited.flavour_name}
          before={edited === "new" ? undefined : edited}
          done={done}
          close={close}
        />
      )}
      <h2>{words.all}</h2>
      {failure && <Failure failure={failure} retry={retry} />}
      {value === undefined ? (
        !failure && <Busy />
      ) : (
        <Table flavours={value.flavours} edit={setEdited} remove={setRemoved} />
      )}
      <CodeLines requests={[codeRequest(words.all, PATH)]} />
      {removed && (
        <ConfirmDialog
          title={words.sure(removed.flavour_name)}
          text={words.sureOf}
          action={words.remove}
          keep={words.keep}
          close={() => setRemoved(undefined)}
          run={async () => {
            await deleteFlavour(removed);
            done(words.removed(removed.flavour_name));
          }}
        />
      )}
    </div>
  );
}

interface TableProps {
  readonly flavours: readonly Definition[];
  readonly edit: (flavour: Definition) => void;
  readonly remove: (flavour: Definition) => void;
}

function Table({ flavours, edit, remove }: TableProps) {
  const name = currentUser.value?.name;
  return (
    <ScrollingTable
      label={words.all}
      columns={[
        words.columns.name,
        words.columns.owner,
        words.columns.names,
        { name: words.columns.actions, isHidden: true },
      ]}
    >
      {flavours.map((flavour) => {
        const { flavour_name: of, owner, mapping, is_global: isGlobal } = flavour;
        // Global flavours are changed by administrators; the service refuses others with a reason.
        const isMine = name !== undefined && owner !== "built in" && (owner === name || isGlobal);
        return (
          <tr key={`${owner} ${of}`}>
            <th scope="row">
              <a
                href={href("", querySearching({ flavour: of, pairs: [] }))}
                aria-label={words.search(of)}
              >
                {of}
              </a>
            </th>
            <td>{owner}</td>
            <td class="flavour-names">
              {Object.entries(mapping).length === 0
                ? words.asNative
                : Object.entries(mapping)
                    .map(([facet, own]) => `${facet}: ${own}`)
                    .join(", ")}
            </td>
            <td>
              {isMine && (
                <span class="row">
                  <button
                    type="button"
                    class="plain"
                    aria-label={words.change(of)}
                    onClick={() => edit(flavour)}
                  >
                    {words.changeShort}
                  </button>
                  <button
                    type="button"
                    class="plain"
                    aria-label={words.removeOne(of)}
                    onClick={() => remove(flavour)}
                  >
                    {words.remove}
                  </button>
                </span>
              )}
            </td>
          </tr>
        );
      })}
    </ScrollingTable>
  );
}
