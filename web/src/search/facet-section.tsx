/** One facet: filter box, values, and buttons for all or none. */
import { useMemo, useRef, useState } from "preact/hooks";
import { folded, matchesAll } from "../../../src/domain/suggestions/match.js";
import { change } from "../address/address.js";
import { words } from "../words/search.js";
import { type Constraint, dropFacet, dropValue, facetConstraints } from "./constraints.js";
import { FacetValues } from "./facet-values.js";
import { describe, type Facet, type FacetValue } from "./facets.js";
import { longName } from "./long-names.js";
import { isPattern, matcher, searchedText, typedPattern } from "./value-text.js";

/** Facets with fewer values have no filter box. */
const MIN_FILTERED = 9;
/** At most this many values can be selected one by one: longer addresses exceed the limits of common proxies. */
const MAX_CHOSEN = 60;

/** Values that the search box would suggest for the typed text, by their codes or long names. */
function filtered(facet: Facet, typed: string): readonly FacetValue[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return facet.values;
  if (isPattern(text)) {
    const matches = matcher(text);
    return facet.values.filter(({ value }) => matches(value));
  }
  return facet.values.filter(({ value }) =>
    matchesAll(text, [folded(value), folded(longName(facet.native, value) ?? "")]),
  );
}

/** Selected values stay visible even if no file has them. */
function withChosen(facet: Facet, chosen: Iterable<string>): Facet {
  const known = new Set(facet.values.map(({ value }) => value));
  const lost = [...chosen].filter((value) => !known.has(value));
  if (lost.length === 0) return facet;
  return { ...facet, values: [...lost.map((value) => ({ value, count: 0 })), ...facet.values] };
}

interface Props {
  readonly facet: Facet;
  readonly constraints: readonly Constraint[];
}

export function FacetSection({ facet: counted, constraints }: Props) {
  const { name, native, isFirst } = counted;
  const of = facetConstraints(constraints, name);
  const named = of.named.join("\n");
  const facet = useMemo(() => withChosen(counted, of.named), [counted, named]);
  const [isOpen, setOpen] = useState(isFirst || of.count > 0);
  return (
    <details class="facet" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{name}</h3>
        <span class="quiet">{describe(native)}</span>
        {of.count > 0 && <span class="facet-said">{words.chosen(of.count)}</span>}
      </summary>
      {isOpen && <Choices facet={facet} of={of} />}
    </details>
  );
}

function Choices({
  facet,
  of,
}: {
  readonly facet: Facet;
  readonly of: ReturnType<typeof facetConstraints>;
}) {
  const { name } = facet;
  const [typed, setTyped] = useState("");
  // Stays when an answer leaves fewer values: somebody may be typing in it.
  const isFiltered = useRef(false);
  isFiltered.current ||= facet.values.length >= MIN_FILTERED;
  const values = useMemo(() => filtered(facet, typed), [facet.values, typed]);
  const pattern = typed.trim() === "" ? undefined : typedPattern(typed);
  const chooseAll = (): void =>
    change((query) => {
      for (const { value } of values) {
        dropValue(query, name, value);
        query.append(name, searchedText(value));
      }
    });
  const choosePattern = (): void => {
    if (pattern === undefined) return;
    change((query) => query.append(name, pattern));
    setTyped("");
  };
  const canAll =
    values.length > 1 &&
    values.length <= MAX_CHOSEN &&
    values.some(({ value }) => !of.isChosen(value));
  return (
    <>
      {isFiltered.current && (
        <input
          type="search"
          aria-label={words.filter(name)}
          placeholder={words.filterShort(facet.values.length)}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div class="row facet-at-once">
        {pattern !== undefined && values.length > 0 && (
          <button type="button" class="plain" onClick={choosePattern}>
            {words.choosePattern(pattern)}
          </button>
        )}
        {canAll && (
          <button type="button" class="plain" onClick={chooseAll}>
            {words.all(values.length)}
            <span class="visually-hidden">{words.allOf(name)}</span>
          </button>
        )}
        {of.count > 0 && (
          <button
            type="button"
            class="plain"
            onClick={() => change((query) => dropFacet(query, name))}
          >
            {words.none}
            <span class="visually-hidden">{words.noneOf(name)}</span>
          </button>
        )}
        {typed !== "" && (
          <span class="quiet">{words.shown(values.length, facet.values.length)}</span>
        )}
      </div>
      {values.length > 0 ? (
        <FacetValues facet={facet} values={values} of={of} />
      ) : (
        <p class="quiet">{typed === "" ? words.noValues : words.nothingMatches}</p>
      )}
    </>
  );
}
