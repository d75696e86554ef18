/** The values of a facet, with the count that each would give. */
import { useMemo } from "preact/hooks";
import { change } from "../address/address.js";
import { VirtualList } from "../parts/virtual-list.js";
import { words } from "../words/search.js";
import { dropValue, type FacetConstraints } from "./constraints.js";
import type { Facet, FacetValue } from "./facets.js";
import { hasLongNames, longName } from "./long-names/long-names.js";
import { matcher, searchedText } from "./value-text.js";

/** Pixels: of a code alone, and with a long name below it. */
const ROW = 32;
const TALL_ROW = 46;
const HEIGHT = 234;

type Choice = "chosen" | "excluded" | "open";

/** Replaces what the search says of a value. */
const choose = (name: string, value: string, choice: Choice): void =>
  change((query) => {
    dropValue(query, name, value);
    if (choice !== "open") {
      query.append(choice === "chosen" ? name : `${name}_not_`, searchedText(value));
    }
  });

/** Arrow keys move from row to row in a column: there may be thousands of rows. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const control = event.target as HTMLElement;
  const next = control.closest("li")?.[step[event.key]];
  const same = next?.querySelector<HTMLElement>(control.tagName);
  if (!same) return;
  event.preventDefault();
  same.focus();
}

interface RowProps {
  readonly facet: Facet;
  readonly one: FacetValue;
  readonly of: FacetConstraints;
  readonly isMeant: boolean;
}

function Row({ facet: { name, native }, one: { value, count }, of, isMeant }: RowProps) {
  const isChosen = of.isChosen(value);
  const isExcluded = of.isExcluded(value);
  const long = longName(native, value);
  return (
    <div class={isExcluded ? "facet-value is-excluded" : "facet-value"}>
      <label title={long === undefined ? value : `${value}: ${long}`}>
        <input
          type="checkbox"
          checked={isChosen}
          indeterminate={isMeant && !isChosen}
          onKeyDown={walk}
          onChange={() => choose(name, value, isChosen ? "open" : "chosen")}
        />
        <span class="facet-text">
          <span class="facet-code">{value}</span>
          {long !== undefined && <span class="facet-long">{long}</span>}
        </span>
        <span class="facet-count">{words.number(count)}</span>
      </label>
      <button
        type="button"
        class="plain"
        aria-pressed={isExcluded}
        title={isExcluded ? words.excludeAgain(value) : words.exclude(value)}
        aria-label={words.exclude(value)}
        onKeyDown={walk}
        onClick={() => choose(name, value, isExcluded ? "open" : "excluded")}
      >
        <span aria-hidden="true">−</span>
      </button>
    </div>
  );
}

interface Props {
  readonly facet: Facet;
  readonly values: readonly FacetValue[];
  readonly of: FacetConstraints;
}

export function FacetValues({ facet, values, of }: Props) {
  const patterns = of.patterns.filter(({ isExcluded }) => !isExcluded);
  const matchers = useMemo(
    () => patterns.map(({ value }) => matcher(value)),
    [patterns.map(({ value }) => value).join("\n")],
  );
  return (
    <VirtualList
      items={values}
      rowHeight={hasLongNames(facet.native) ? TALL_ROW : ROW}
      height={HEIGHT}
      keyOf={({ value }) => value}
      label={words.values(facet.name)}
      row={(one) => (
        <Row
          facet={facet}
          one={one}
          of={of}
          isMeant={matchers.some((matches) => matches(one.value))}
        />
      )}
    />
  );
}
