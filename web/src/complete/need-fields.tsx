/** One requirement: pairs of facet and value, a period, and the facets that its files must share. */
import { useId, useState } from "preact/hooks";
import { Chip } from "../parts/check-box.js";
import { Icon } from "../parts/icon.js";
import { Select } from "../parts/select.js";
import type { FacetNames } from "../service/facet-names.js";
import type { Pairs } from "../service/request.js";
import { words } from "../words/complete.js";
import { frequent, suggested, useValues } from "./facet-values.js";
import type { NeedRow, Pair } from "./needs.js";
import { PeriodFields } from "./period-fields.js";

interface Props {
  readonly number: number;
  readonly row: NeedRow;
  readonly groupBy: readonly string[];
  readonly facets: FacetNames;
  /** The search that the suggested values come from. */
  readonly pairs: Pairs;
  readonly edit: (row: NeedRow) => void;
  /** Undefined for the only requirement. */
  readonly remove: (() => void) | undefined;
}

export function NeedFields({ number, row, groupBy, facets, pairs, edit, remove }: Props) {
  const setPair = (place: number, pair: Pair): void =>
    edit({ ...row, pairs: row.pairs.map((one, index) => (index === place ? pair : one)) });
  return (
    <fieldset class="need">
      <legend>{words.need(number)}</legend>
      {row.pairs.map((pair, place) => (
        <PairFields
          key={place}
          pair={pair}
          facets={facets}
          pairs={pairs}
          edit={(one) => setPair(place, one)}
          remove={
            row.pairs.length > 1
              ? () => edit({ ...row, pairs: row.pairs.filter((_, index) => index !== place) })
              : undefined
          }
        />
      ))}
      <button
        type="button"
        class="plain"
        onClick={() => edit({ ...row, pairs: [...row.pairs, { name: "", value: "" }] })}
      >
        {words.addPair}
      </button>
      <PeriodFields
        ends={{ from: row.from, to: row.to }}
        take={(ends) => edit({ ...row, ...ends })}
      />
      {groupBy.length > 1 && (
        <div class="row" role="group" aria-label={words.on}>
          <span aria-hidden="true">{words.on}</span>
          {groupBy.map((name) => (
            <Chip key={name} value={name} chosen={row.on} choose={(on) => edit({ ...row, on })} />
          ))}
          <small>{words.onHint}</small>
        </div>
      )}
      {remove && (
        <button type="button" class="plain" onClick={remove}>
          {words.removeNeed(number)}
        </button>
      )}
    </fieldset>
  );
}

interface PairProps {
  readonly pair: Pair;
  readonly facets: FacetNames;
  readonly pairs: Pairs;
  readonly edit: (pair: Pair) => void;
  readonly remove: (() => void) | undefined;
}

function PairFields({ pair, facets, pairs, edit, remove }: PairProps) {
  const [typed, setTyped] = useState<string>();
  const isOpen = pair.name !== "" && pair.value === "";
  const isWanted = pair.name !== "" && (typed !== undefined || isOpen);
  const known = useValues(facets.flavour, pairs, isWanted ? [pair.name] : []);
  const values = known.get(pair.name) ?? [];
  const list = useId();
  const { name, value } = pair;
  const names = name === "" || facets.names.includes(name) ? facets.names : [name, ...facets.names];
  return (
    <div class="row need-pair">
      <Select
        label={words.facet}
        value={name}
        options={["", ...names]}
        choose={(chosen) => edit({ name: chosen, value: "" })}
      />
      <label>
        {words.value}
        <input
          type="text"
          list={list}
          autocomplete="off"
          spellcheck={false}
          disabled={name === ""}
          value={typed ?? value}
          onFocus={() => setTyped(value)}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => edit({ name, value: event.currentTarget.value.trim() })}
          onBlur={() => setTyped(undefined)}
        />
      </label>
      <datalist id={list}>
        {suggested(values, typed ?? "").map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {isOpen && values.length > 0 && (
        <div class="row need-values" role="group" aria-label={words.frequent}>
          {frequent(values).map((one) => (
            <button
              key={one}
              type="button"
              class="plain"
              // The field would lose the focus first, and the buttons with it.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => edit({ name, value: one })}
            >
              {one}
            </button>
          ))}
        </div>
      )}
      {remove && (
        <button
          type="button"
          class="plain"
          aria-label={words.removePair(name, value)}
          title={words.removePair(name, value)}
          onClick={remove}
        >
          <Icon of="close" />
        </button>
      )}
    </div>
  );
}
