// biome-ignore-all lint/a11y/useFocusableInteractive: a static table needs no focusable rows and cells
// biome-ignore-all lint/a11y/useSemanticElements: some browsers drop table semantics when a table is laid out as a grid
/** The datasets of the search, with bars on a common time axis. */
import type { ComponentChild } from "preact";
import { useEffect, useId, useMemo } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Icon } from "../parts/icon.js";
import { Select } from "../parts/select.js";
import { loadLongNames, longName } from "../search/long-names.js";
import { type FirstNames, useFacetNames } from "../service/facet-names.js";
import { words } from "../words/results.js";
import { DatasetRow } from "./dataset-row.js";
import {
  type Dataset,
  type Found,
  isCompact,
  MAX_SHOWN,
  ORDERS,
  type Order,
  order,
  PAGE,
  setCompact,
  showMore,
  sortBy,
  useDatasets,
} from "./datasets.js";
import { intervalOfStretch, type TimeAxis, timeAxis } from "./time-axis.js";
import { AxisLabels } from "./time-bar.js";

function Legend({ found, axis }: { readonly found: Found; readonly axis: TimeAxis | undefined }) {
  const has = (of: "gaps" | "overlaps"): boolean =>
    found.items.some((dataset) => dataset[of].length > 0);
  const isCut = axis?.isCut === true;
  if (!has("gaps") && !has("overlaps") && !isCut) return null;
  const kinds = [
    "covered",
    ...(has("gaps") ? ["gap"] : []),
    ...(has("overlaps") ? ["overlap"] : []),
    ...(isCut ? ["earlier"] : []),
  ];
  return (
    <p class="time-legend quiet" aria-hidden="true">
      {words.legend}
      {kinds.map((kind) => (
        <span key={kind}>
          <span class={`time-${kind}`} /> {words[kind as "covered" | "gap" | "overlap" | "earlier"]}
        </span>
      ))}
    </p>
  );
}

/** The same object as long as it is equal, so that rows are kept. */
const useSteady = <T,>(value: T): T => useMemo(() => value, [JSON.stringify(value)]);

interface ListProps {
  readonly found: Found;
  readonly flavour: string;
  readonly first: FirstNames;
  readonly axis: TimeAxis | undefined;
}

function List({ found, flavour, first, axis }: ListProps) {
  // Rows are drawn again when the names have been loaded.
  const hasNames = longName("variable", "tas") !== undefined;
  // Rendered rows are reused when more follow.
  const drawn = useMemo(() => new WeakMap<Dataset, ComponentChild>(), [axis, first, hasNames]);
  const rowOf = (dataset: Dataset): ComponentChild => {
    const known = drawn.get(dataset);
    if (known !== undefined) return known;
    const key = dataset.dataset_id ?? "";
    const shown = { dataset, flavour, first, axis };
    const row = <DatasetRow key={key} {...shown} />;
    drawn.set(dataset, row);
    return row;
  };
  return (
    <div
      class={isCompact.value ? "datasets is-compact" : "datasets"}
      role="table"
      aria-label={words.table}
      aria-rowcount={found.count + 1}
    >
      <div class="datasets-head" role="row">
        <div role="columnheader">{words.name}</div>
        <div role="columnheader">{words.origin}</div>
        <div role="columnheader">
          <span class={axis && "visually-hidden"}>{words.period}</span>
          {axis && <AxisLabels axis={axis} />}
        </div>
        <div role="columnheader">{words.size}</div>
        <div role="columnheader">
          <span class="visually-hidden">{words.actions}</span>
        </div>
      </div>
      {found.items.map(rowOf)}
    </div>
  );
}

/** Order and height of the rows. */
function ListControls() {
  const id = useId();
  return (
    <div class="results-controls row">
      <label for={id} class="quiet">
        {words.sort}
      </label>
      <Select
        id={id}
        value={order.value}
        options={ORDERS.map((one) => [one, words.sortOf[one]])}
        choose={(one) => sortBy(one as Order)}
      />
      <div class="joined" role="group" aria-label={words.density}>
        {([false, true] as const).map((compact) => {
          const name = compact ? "compact" : "comfortable";
          return (
            <button
              key={name}
              type="button"
              aria-label={words[name]}
              title={words[name]}
              aria-pressed={isCompact.value === compact}
              onClick={() => setCompact(compact)}
            >
              <Icon of={name} />
            </button>
          );
        })}
      </div>
    </div>
  );
}

/** Datasets on the next page; at least 1 if the count is cut short. */
const moreOf = ({ count, items }: Found): number =>
  Math.max(1, Math.min(PAGE, count - items.length));

export function Results({ flavour }: { readonly flavour: string }) {
  const { value, failure, busy, retry } = useDatasets(flavour);
  const first = useSteady(useFacetNames().facets?.first);
  useEffect(() => void loadLongNames(), []);
  const datasets = value?.items;
  const axis = useSteady(
    useMemo(() => datasets && timeAxis(datasets.map(intervalOfStretch)), [datasets]),
  );
  const shown = datasets?.length ?? 0;
  useEffect(() => {
    if (value && shown > PAGE) announce(words.shown(shown, value.count));
  }, [shown]);
  return (
    <section class="results" aria-labelledby="results-title" aria-busy={busy}>
      <div class="row">
        <h2 id="results-title">{words.title}</h2>
        {value && value.files > 0 && <p class="quiet">{words.found(value.count, value.files)}</p>}
        {value && value.files > 0 && <Legend found={value} axis={axis} />}
        {value && value.files > 0 && <ListControls />}
      </div>
      {failure && <Failure failure={failure} retry={retry} />}
      {value === undefined && busy && <Busy of={words.busy} />}
      {value?.files === 0 && <p>{words.nothing}</p>}
      {value && value.files > 0 && first && (
        <>
          <List found={value} flavour={flavour} first={first} axis={axis} />
          <p class="row">
            {words.shown(shown, value.count)}
            {value.after !== null && shown >= MAX_SHOWN && ` ${words.max}`}
            {value.after !== null && shown < MAX_SHOWN && (
              <button
                type="button"
                aria-disabled={busy}
                onClick={() => !busy && showMore(flavour, shown)}
              >
                {busy ? words.loading : words.more(moreOf(value))}
              </button>
            )}
          </p>
        </>
      )}
    </section>
  );
}
