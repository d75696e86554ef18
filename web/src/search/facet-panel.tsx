/** All facets of the flavour: beside the results, or on narrow screens in a sheet. */
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Busy } from "../parts/busy.js";
import { ComingRows } from "../parts/drawing.js";
import { Icon } from "../parts/icon.js";
import type { AnswerState } from "../service/answer.js";
import { words } from "../words/search.js";
import type { Constraint } from "./constraints.js";
import { FacetSection } from "./facet-section.js";
import { type Counted, type Facet, facetsOf } from "./facets.js";
import { loadLongNames } from "./long-names.js";

/** Same as in search.css. */
const NARROW = "(max-width: 56rem)";

export function useNarrow(): boolean {
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

interface PanelProps extends Props {
  readonly isNarrow: boolean;
  /** Further choices, which a sheet has after the facets. */
  readonly more: ComponentChild;
}

export function FacetPanel({ counted, constraints, isNarrow, more }: PanelProps) {
  useEffect(() => void loadLongNames(), []);
  if (isNarrow) return <FacetSheet counted={counted} constraints={constraints} more={more} />;
  return (
    <section class="facets" aria-labelledby="facets-title" onKeyDown={toResults}>
      <h2 id="facets-title">{words.facets}</h2>
      <p class="visually-hidden">{words.facetsHint}</p>
      <FacetList counted={counted} constraints={constraints} />
    </section>
  );
}

/** Escape leads from the facets to the results; in a filter with text, it first clears that. */
function toResults(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (
    event.key !== "Escape" ||
    (target instanceof HTMLInputElement && target.type === "search" && target.value !== "")
  ) {
    return;
  }
  event.preventDefault();
  const results = document.getElementById("results");
  results?.focus();
  results?.scrollIntoView();
}

function FacetList({ counted: { value, failure, busy }, constraints }: Props) {
  const facets = useMemo(() => (value === undefined ? [] : facetsOf(value)), [value]);
  const shown = facets.filter(
    ({ name, values }) => values.length > 0 || constraints.some((one) => one.name === name),
  );
  const section = (facet: Facet) => (
    <FacetSection key={facet.native} facet={facet} constraints={constraints} />
  );
  const rest = shown.filter(({ isFirst }) => !isFirst);
  return (
    <div class="facet-list" aria-busy={busy}>
      {value === undefined && !failure && (
        <>
          <Busy of={words.askingFacets} />
          <ComingRows rows={8} />
        </>
      )}
      {shown.filter(({ isFirst }) => isFirst).map(section)}
      {rest.length > 0 && <p class="facets-more">{words.moreFacets}</p>}
      {rest.map(section)}
    </div>
  );
}

/** A bar with a button that stays in sight, and a sheet from the bottom, with the way back to what is found. */
function FacetSheet({ counted, constraints, more }: Omit<PanelProps, "isNarrow">) {
  const sheet = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
    sheet.current?.showModal();
  };
  const close = (): void => sheet.current?.close();
  const { value } = counted;
  const names = new Set(Object.keys(value?.facets ?? {}));
  const chosen = constraints.filter(({ name }) => names.has(name)).length;
  return (
    <>
      <div class="facets-dock">
        <button type="button" class="facets-button" onClick={open}>
          <Icon of="filter" />
          {words.facetsOnPhone(chosen)}
        </button>
      </div>
      <dialog
        class="facets-sheet"
        ref={sheet}
        aria-labelledby="facets-title"
        onClose={() => setOpen(false)}
      >
        <header>
          <h2 id="facets-title">{words.facets}</h2>
          <button type="button" class="plain" aria-label={words.closeFacets} onClick={close}>
            <Icon of="close" />
          </button>
        </header>
        <div class="facets-scroll">
          {isOpen && (
            <>
              <FacetList counted={counted} constraints={constraints} />
              <div class="row facets-options">{more}</div>
            </>
          )}
        </div>
        <footer>
          <button type="button" class="primary" onClick={close}>
            {words.showFound(value?.total_count ?? 0)}
          </button>
        </footer>
      </dialog>
    </>
  );
}
