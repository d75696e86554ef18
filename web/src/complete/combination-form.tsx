/** The form for requirements that are every combination of some values: experiments, variables and others are ticked. */
import { useEffect, useId, useState } from "preact/hooks";
import { Chip } from "../parts/check-box.js";
import { Select } from "../parts/select.js";
import { describe } from "../search/facets.js";
import { loadLongNames, longName } from "../search/long-names.js";
import type { FacetNames } from "../service/facet-names.js";
import type { Pairs } from "../service/request.js";
import { words } from "../words/complete.js";
import type { Combination } from "./combination.js";
import { frequent, suggested, useValues } from "./facet-values.js";
import { PeriodFields } from "./period-fields.js";

interface Props {
  readonly combination: Combination;
  readonly groupBy: readonly string[];
  readonly facets: FacetNames;
  /** The search that the values come from. */
  readonly pairs: Pairs;
  readonly edit: (combination: Combination) => void;
}

/** The facets whose values are shown without asking for them, by native name. */
const USUAL = ["experiment", "variable", "time_frequency"] as const;

export function CombinationForm({ combination, groupBy, facets, pairs, edit }: Props) {
  const [added, add] = useState<readonly string[]>([]);
  useEffect(() => void loadLongNames(), []);
  const { values, from, to } = combination;
  const usual = USUAL.map((native) => facets.first[native]).filter(
    (name) => !groupBy.includes(name),
  );
  const names = [...new Set([...usual, ...values.keys(), ...added])];
  const known = useValues(facets.flavour, pairs, names);
  const rest = facets.names.filter((name) => !names.includes(name));
  const natives = new Map(Object.entries(facets.first).map(([native, name]) => [name, native]));
  return (
    <div>
      {names.map((name) => (
        <Values
          key={name}
          name={name}
          native={natives.get(name) ?? name}
          chosen={values.get(name) ?? []}
          all={known.get(name) ?? []}
          choose={(chosen) => edit({ ...combination, values: new Map(values).set(name, chosen) })}
        />
      ))}
      <Select
        class="need-facet"
        label={words.anotherFacet}
        value=""
        options={["", ...rest]}
        choose={(name) => add([...added, name])}
      />
      <fieldset>
        <legend>{words.period}</legend>
        <PeriodFields ends={{ from, to }} take={(ends) => edit({ ...combination, ...ends })} />
      </fieldset>
    </div>
  );
}

interface ValuesProps {
  readonly name: string;
  readonly native: string;
  readonly chosen: readonly string[];
  readonly all: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

/** The values of a facet: the frequent and the chosen ones as boxes, all others by typing. */
function Values({ name, native, chosen, all, choose }: ValuesProps) {
  const [typed, setTyped] = useState("");
  const list = useId();
  const shown = [...new Set([...frequent(all), ...chosen])];
  return (
    <fieldset>
      <legend>
        {name} <small>{describe(native)}</small>
      </legend>
      <div class="row">
        {shown.map((value) => (
          <Chip
            key={value}
            value={value}
            title={longName(native, value)}
            chosen={chosen}
            choose={choose}
          />
        ))}
        {all.length > shown.length && (
          <input
            type="text"
            class="need-other"
            list={list}
            autocomplete="off"
            spellcheck={false}
            aria-label={words.otherOf(name)}
            placeholder={words.other(all.length - shown.length)}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onChange={(event) => {
              const value = event.currentTarget.value.trim();
              if (value !== "") choose([...new Set([...chosen, value])]);
              setTyped("");
            }}
          />
        )}
        <datalist id={list}>
          {suggested(all, typed).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      </div>
    </fieldset>
  );
}
