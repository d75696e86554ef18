/** The values of a facet, with the count that each would give. */
import { useMemo, useState } from "preact/hooks";
import { EXCLUDES } from "../../../src/domain/vocabulary/query-words.js";
import { change } from "../address/address.js";
import { Icon } from "../parts/icon.js";
import { VirtualList } from "../parts/virtual-list.js";
import { words } from "../words/search.js";
import { dropValue, type FacetConstraints } from "./constraints.js";
import type { Facet, FacetValue } from "./facets.js";
import { hasLongNames, longName } from "./long-names.js";
import { matcher, searchedText } from "./value-text.js";

/** Pixels: of a code alone, and with a long name below it. */
const ROW = 32;
const TALL_ROW = 46;
const HEIGHT = 208;

type Choice = "chosen" | "excluded" | "open";

/** Replaces what the search says of a value. */
const choose = (name: string, value: string, choice: Choice): void =>
  change((query) => {
    dropValue(query, name, value);
    if (choice !== "open") {
      query.append(choice === "chosen" ? name : name + EXCLUDES, searchedText(value));
    }
  });

/** Arrow keys move from row to row in a column: there may be thousands of rows, of which Tab reaches one. */
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
  /** Whether Tab leads to this row. */
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
  /** Files of the most frequent value. */
  readonly most: number;
}

function Row({ facet, one, of, isMeant, isTabStop, onFocus, most }: RowProps) {
  const { name, native } = facet;
  const { value, count } = one;
  const tabIndex = isTabStop ? 0 : -1;
  const isChosen = of.isChosen(value);
  const isExcluded = of.isExcluded(value);
  const long = longName(native, value);
  return (
    <div
      class={isExcluded ? "facet-value is-excluded" : "facet-value"}
      style={{ "--share": `${(100 * count) / Math.max(most, 1)}%` }}
      onFocusIn={onFocus}
    >
      <label title={long === undefined ? value : `${value}: ${long}`}>
        <input
          type="checkbox"
          tabIndex={tabIndex}
          checked={isChosen}
          indeterminate={isMeant && !isChosen}
          onKeyDown={walk}
          onChange={() => choose(name, value, isChosen ? "open" : "chosen")}
        />
        <span class="facet-text">
          <span class="facet-code">{value}</span>
          {long !== undefined && <span class="quiet facet-long">{long}</span>}
        </span>
        <span class="quiet facet-count">{words.number(count)}</span>
      </label>
      <button
        type="button"
        class="plain"
        tabIndex={tabIndex}
        aria-pressed={isExcluded}
        title={isExcluded ? words.excludeAgain(value) : words.exclude(value)}
        aria-label={words.exclude(value)}
        onKeyDown={walk}
        onClick={() => choose(name, value, isExcluded ? "open" : "excluded")}
      >
        <Icon of="exclude" />
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
  const isNamed = ({ value }: FacetValue): boolean => of.isChosen(value) || of.isExcluded(value);
  const [named, others] = useMemo(
    () => [facet.values.filter(isNamed), values.filter((one) => !isNamed(one))],
    [facet.values, values, of.named.join("\n")],
  );
  const most = Math.max(...facet.values.slice(0, 1).map(({ count }) => count), 0);
  // Each list has one row that Tab leads to: the one that had the focus last, else the first.
  const [focused, setFocused] = useState<string>();
  const tabStopOf = (rows: readonly FacetValue[]): number =>
    Math.max(
      rows.findIndex(({ value }) => value === focused),
      0,
    );
  const [namedStop, othersStop] = [tabStopOf(named), tabStopOf(others)];
  const row = (one: FacetValue, isTabStop: boolean) => (
    <Row
      isTabStop={isTabStop}
      onFocus={() => setFocused(one.value)}
      facet={facet}
      one={one}
      of={of}
      most={most}
      isMeant={matchers.some((matches) => matches(one.value))}
    />
  );
  const rowHeight = hasLongNames(facet.native) ? TALL_ROW : ROW;
  return (
    <>
      {named.length > 0 && (
        <ul class="bare facet-named" aria-label={words.namedValues(facet.name)}>
          {named.map((one, index) => (
            <li key={one.value} style={{ height: `${rowHeight}px` }}>
              {row(one, index === namedStop)}
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <VirtualList
          items={others}
          rowHeight={rowHeight}
          height={HEIGHT}
          keyOf={({ value }) => value}
          label={words.values(facet.name)}
          tabStop={othersStop}
          row={(one, index) => row(one, index === othersStop)}
        />
      )}
    </>
  );
}
