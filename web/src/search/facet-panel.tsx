/** All facets of the flavour; folded on narrow screens. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Busy } from "../parts/busy.js";
import type { AnswerState } from "../service/answer.js";
import { words } from "../words/search.js";
import type { Constraint } from "./constraints.js";
import { FacetSection } from "./facet-section.js";
import { facetsOf } from "./facets.js";
import { loadLongNames } from "./long-names/long-names.js";
import type { Counted } from "./requests.js";

/** Same as in search.css. */
const NARROW = "(max-width: 56rem)";

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const list = matchMedia(NARROW);
    const follow = (): void => setNarrow(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}

interface Props {
  readonly counted: AnswerState<Counted>;
  readonly constraints: readonly Constraint[];
}

export function FacetPanel({ counted: { value, failure, busy }, constraints }: Props) {
  const isNarrow = useNarrow();
  useEffect(() => void loadLongNames(), []);
  const facets = useMemo(() => (value === undefined ? [] : facetsOf(value)), [value]);
  const names = new Set(facets.map(({ name }) => name));
  const chosen = constraints.filter(({ name }) => names.has(name)).length;
  const list = (
    <div class="facet-list" aria-busy={busy}>
      {value === undefined && !failure && <Busy of={words.askingFacets} />}
      {facets
        .filter(
          ({ name, values }) => values.length > 0 || constraints.some((one) => one.name === name),
        )
        .map((facet) => (
          <FacetSection key={facet.name} facet={facet} constraints={constraints} />
        ))}
    </div>
  );
  return isNarrow ? (
    <details class="facets">
      <summary>
        <h2>{words.facetsOnPhone(chosen)}</h2>
      </summary>
      {list}
    </details>
  ) : (
    <section class="facets" aria-labelledby="facets-title">
      <h2 id="facets-title">{words.facets}</h2>
      {list}
    </section>
  );
}
