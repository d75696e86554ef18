/** The form of a flavour: one name per facet. The service validates the names. */
import { useEffect, useRef, useState } from "preact/hooks";
import { FACET_NAMES, FACETS } from "../../../src/domain/vocabulary/facets.js";
import { CheckBox } from "../parts/check-box.js";
import { Failure } from "../parts/failure.js";
import { ScrollingTable } from "../parts/scrolling.js";
import { useAction } from "../parts/use-action.js";
import type { Definition } from "../service/flavours.js";
import { Refused } from "../service/problem.js";
import { send, sendJson } from "../service/request.js";
import { words } from "../words/flavours.js";

/** `time` and `bbox` have the same parameter in every flavour. */
const NAMEABLE = FACET_NAMES.filter((facet) => facet !== "time" && facet !== "bbox");

const FLAVOUR = "/databrowser/flavours/{flavour}";

/** The parameters that name a flavour. */
const targeted = ({ flavour_name: flavour, is_global }: Definition) => ({
  in: { flavour },
  query: is_global ? ([["is_global", "true"]] as const) : [],
});

export const deleteFlavour = (flavour: Definition): Promise<Response> =>
  send("delete", FLAVOUR, targeted(flavour));

interface Props {
  /** Undefined for a new flavour. */
  readonly before: Definition | undefined;
  readonly done: (text: string) => void;
  readonly close: () => void;
}

export function FlavourForm({ before, done, close }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [name, setName] = useState(before?.flavour_name ?? "");
  const [isGlobal, setGlobal] = useState(before?.is_global ?? false);
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>(before?.mapping ?? {});
  const { busy, failure, run } = useAction();
  useEffect(() => heading.current?.focus(), []);
  const save = async (): Promise<void> => {
    const own = Object.entries(mapping)
      .map(([facet, called]) => [facet, called.trim()] as const)
      .filter(([, called]) => called !== "");
    const body = {
      flavour_name: name.trim(),
      mapping: Object.fromEntries(own),
      is_global: isGlobal,
    };
    if (before === undefined) {
      await sendJson("post", "/databrowser/flavours", { body });
      done(words.made(body.flavour_name));
    } else {
      await sendJson("put", FLAVOUR, { ...targeted(before), body });
      done(words.changed(body.flavour_name));
    }
  };
  const wrong = failure instanceof Refused ? (failure.problem.errors ?? []) : [];
  const isWrong = (place: string): boolean => wrong.some(({ name: of }) => of === place);
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <h2 tabIndex={-1} ref={heading}>
        {before === undefined ? words.make : words.change(before.flavour_name)}
      </h2>
      <label class="userdata-field">
        {words.name}
        <input
          type="text"
          value={name}
          required
          maxLength={64}
          placeholder={words.nameHint}
          aria-invalid={isWrong("flavour_name")}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <CheckBox isOn={isGlobal} set={setGlobal}>
        {words.forAll}
      </CheckBox>
      <h3>{words.mapping}</h3>
      <p class="quiet">{words.mappingHint}</p>
      <ScrollingTable
        label={words.mapping}
        class="flavour-mapping"
        columns={[words.facet, words.own, words.meaning]}
      >
        {NAMEABLE.map((facet) => (
          <tr key={facet}>
            <th scope="row">{facet}</th>
            <td>
              <input
                type="text"
                aria-label={words.ownOf(facet)}
                aria-invalid={isWrong(`mapping.${facet}`)}
                spellcheck={false}
                value={mapping[facet] ?? ""}
                onInput={(event) => setMapping({ ...mapping, [facet]: event.currentTarget.value })}
              />
            </td>
            <td class="quiet">{FACETS[facet].description}</td>
          </tr>
        ))}
      </ScrollingTable>
      {failure && <Failure failure={failure} />}
      <p class="row">
        <button type="submit" class="primary" aria-disabled={busy}>
          {before === undefined ? words.create : words.save}
        </button>
        <button type="button" onClick={close}>
          {words.cancel}
        </button>
      </p>
    </form>
  );
}
