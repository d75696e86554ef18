/** Complete models: a form of requirements, and the groups of files that meet all of them. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { change, place, search } from "../address/address.js";
import { Busy } from "../parts/busy.js";
import { Chip } from "../parts/check-box.js";
import { Failure } from "../parts/failure.js";
import { type FacetNames, useFacetNames } from "../service/facet-names.js";
import type { Pairs } from "../service/request.js";
import { SummaryBar } from "../summary-bar/summary-bar.js";
import { words } from "../words/complete.js";
import { combinationOf, rowsOf } from "./combination.js";
import { CombinationForm } from "./combination-form.js";
import { CompleteGroups } from "./complete-groups.js";
import { useExample } from "./example.js";
import { NeedFields } from "./need-fields.js";
import {
  EMPTY_NEED,
  type Form,
  formKey,
  formOf,
  isWritten,
  MAX_GROUP_BY,
  needsOf,
  setForm,
} from "./needs.js";

export function CompleteView() {
  const { facets, failure } = useFacetNames();
  const { query } = place.value;
  const requireAll = query.getAll("require_all_on");
  return (
    <div class="complete">
      <h1>{words.title}</h1>
      <SummaryBar isQuiet />
      <p class="quiet">{words.explain}</p>
      {failure && <Failure failure={failure} />}
      {facets && requireAll.length > 0 && <RequireAll facets={facets} names={requireAll} />}
      {facets && requireAll.length === 0 && <Builder facets={facets} />}
    </div>
  );
}

/** The view's own parameters, as sent to the service. */
const own = (query: URLSearchParams, names: readonly string[]): Pairs =>
  [...query].filter(([name]) => names.includes(name));

function RequireAll(props: { readonly facets: FacetNames; readonly names: readonly string[] }) {
  const pairs = [...search.value.pairs, ...own(place.value.query, ["require_all_on", "near"])];
  return (
    <>
      <p>{words.requireAll(props.names.join(", "))}</p>
      <CompleteGroups
        flavour={props.facets.flavour}
        pairs={pairs}
        take={({ group_by: groupBy, needs }) =>
          change((query) => {
            query.delete("require_all_on");
            query.set("group_by", groupBy.join(","));
            for (const { need } of needs) query.append("need", need);
          })
        }
      />
    </>
  );
}

function Builder({ facets }: { readonly facets: FacetNames }) {
  const { query } = place.value;
  const [form, setOwn] = useState<Form>(() => formOf(query));
  const held = formOf(query);
  const key = formKey(held);
  const isEmpty = key === formKey(formOf(new URLSearchParams()));
  const example = useExample(facets, isEmpty);
  // Follows Back and links, but keeps half-filled rows while the address asks for the same.
  useEffect(() => {
    if (formKey(form) !== key) setOwn(held);
  }, [key]);
  // The example fills an empty form, and is in the address, so that Back and a copy keep it.
  useEffect(() => {
    if (isEmpty && example && formKey(form) === key) {
      isExample.value = formKey(example);
      change((edited) => setForm(edited, example), { replace: true });
    }
  }, [isEmpty, example]);
  const edit = (next: Form): void => {
    setOwn(next);
    change((edited) => setForm(edited, next));
  };
  const { groupBy } = form;
  const [isByRow, setByRow] = useState(false);
  const combination = combinationOf(form);
  const isOther = combination === undefined;
  // Stays so while somebody edits: the fields would change under their hands.
  useEffect(() => {
    if (isOther) setByRow(true);
  }, [isOther]);
  const { pairs } = search.value;
  const isAsked = held.groupBy.length > 0 && needsOf(held).length > 0;
  if (isEmpty && example === undefined) return <Busy of={words.findingExample} />;
  return (
    <div class="complete-parts">
      <div>
        {isExample.value === key && (
          <p class="complete-example">
            {words.example}{" "}
            <button
              type="button"
              onClick={() => edit({ groupBy: [facets.first.model], rows: [EMPTY_NEED] })}
            >
              {words.startEmpty}
            </button>
          </p>
        )}
        <GroupBy
          facets={facets}
          chosen={groupBy}
          choose={(chosen) => edit({ ...form, groupBy: chosen })}
        />
        <h2>{words.needs}</h2>
        {combination !== undefined && !isByRow ? (
          <CombinationForm
            combination={combination}
            groupBy={groupBy}
            facets={facets}
            pairs={pairs}
            edit={(next) => edit({ ...form, rows: rowsOf(next) })}
          />
        ) : (
          <NeedList form={form} facets={facets} pairs={pairs} edit={edit} draw={setOwn} />
        )}
        {combination !== undefined && (
          <p>
            <button type="button" class="plain" onClick={() => setByRow(!isByRow)}>
              {isByRow ? words.asCombination : words.asRows}
            </button>
          </p>
        )}
      </div>
      {isAsked ? (
        <CompleteGroups
          flavour={facets.flavour}
          pairs={[...pairs, ...own(query, ["group_by", "need", "near"])]}
        />
      ) : (
        <p>{words.start}</p>
      )}
    </div>
  );
}

interface NeedListProps {
  readonly form: Form;
  readonly facets: FacetNames;
  readonly pairs: Pairs;
  readonly edit: (form: Form) => void;
  /** Shows a form that is not in the address yet. */
  readonly draw: (form: Form) => void;
}

/** Each requirement by itself. */
function NeedList({ form, facets, pairs, edit, draw }: NeedListProps) {
  const { groupBy, rows } = form;
  return (
    <>
      {rows.map((row, index) => {
        const others = rows.filter((_, other) => other !== index);
        const remove = rows.length > 1 ? () => edit({ ...form, rows: others }) : undefined;
        return isWritten(row) ? (
          <p key={row.text}>
            {words.unread(row.text)}{" "}
            <button
              type="button"
              onClick={() => edit({ ...form, rows: others.length > 0 ? others : [EMPTY_NEED] })}
            >
              {words.removeNeed(index + 1)}
            </button>
          </p>
        ) : (
          <NeedFields
            key={index}
            number={index + 1}
            row={row}
            groupBy={groupBy}
            facets={facets}
            pairs={pairs}
            remove={remove}
            edit={(next) =>
              edit({ ...form, rows: rows.map((one, other) => (other === index ? next : one)) })
            }
          />
        );
      })}
      <p>
        <button type="button" onClick={() => draw({ ...form, rows: [...rows, EMPTY_NEED] })}>
          {words.addNeed}
        </button>
      </p>
    </>
  );
}

/** The example that this tab was started with, until it is changed. */
const isExample = signal("");

interface GroupByProps {
  readonly facets: FacetNames;
  readonly chosen: readonly string[];
  readonly choose: (names: readonly string[]) => void;
}

function GroupBy({ facets, chosen, choose }: GroupByProps) {
  const names = [...facets.names, ...chosen.filter((name) => !facets.names.includes(name))];
  const { model, experiment, ensemble, variable, time_frequency } = facets.first;
  const usual = [model, experiment, ensemble, variable, time_frequency];
  const [shown, rest] = [
    names.filter((name) => usual.includes(name) || chosen.includes(name)),
    names.filter((name) => !usual.includes(name) && !chosen.includes(name)),
  ];
  const box = (name: string) => (
    <Chip
      key={name}
      value={name}
      chosen={chosen}
      disabled={!chosen.includes(name) && chosen.length >= MAX_GROUP_BY}
      choose={choose}
    />
  );
  return (
    <fieldset class="group-by">
      <legend>{words.groupBy}</legend>
      <div class="row">{shown.map(box)}</div>
      <details>
        <summary>{words.moreFacets}</summary>
        <div class="row">{rest.map(box)}</div>
      </details>
      <small>{words.groupHint}</small>
    </fieldset>
  );
}
