/** The series at a place: coordinates, plot and table. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Busy } from "../../parts/busy.js";
import { useDraft } from "../../parts/use-draft.js";
import { useAnswer } from "../../service/answer.js";
import { words } from "../../words/look.js";
import type { Axis, OpenDataset } from "../data/types.js";
import { OUTSIDE } from "../draw/grid.js";
import { numberIn } from "../look-address.js";
import { LookFailure } from "../look-failure.js";
import { cellAt, indexesAt, type Slice } from "../picture/picture.js";
import { placeText } from "../picture/place-text.js";
import { convertSeries } from "../picture/units.js";
import { longName, otherAxes, unitsOf } from "../variables.js";
import { SeriesPlot, SeriesTable } from "./series-plot.js";

type Place = readonly [number, number];

interface Props {
  readonly dataset: OpenDataset;
  readonly slice: Slice;
  readonly at: Place | undefined;
  readonly setAt: (place: Place | undefined) => void;
  /** Reach of dots, see Grid.cellsAt. */
  readonly reach: number;
}

/** Time if there is one, else the first dimension with steps. */
const alongOf = ({ axes, geometry }: Slice): Axis | undefined => {
  const others = otherAxes(axes, geometry).filter(({ length }) => length > 1);
  return others.find(({ kind }) => kind === "time") ?? others[0];
};

export function SeriesPanel({ dataset, slice, at, setAt, reach }: Props) {
  const along = alongOf(slice);
  return (
    <section class="panel" aria-labelledby="series-heading">
      <h2 id="series-heading">{words.series}</h2>
      {along === undefined ? (
        <p class="quiet">{words.noSeries}</p>
      ) : (
        <>
          <PlaceForm slice={slice} at={at} setAt={setAt} />
          {at && <SeriesAt dataset={dataset} slice={slice} at={at} along={along} reach={reach} />}
        </>
      )}
    </section>
  );
}

function PlaceForm({ slice, at, setAt }: Pick<Props, "slice" | "at" | "setAt">) {
  const isRound = slice.drawn?.grid.isRound ?? true;
  // The last place stays when its series is closed.
  const last = useRef(at);
  last.current = at ?? last.current;
  const [x0, y0] = last.current ?? [];
  const draft = useDraft({ x: String(x0 ?? ""), y: String(y0 ?? "") });
  const [isWrong, setWrong] = useState(false);
  useEffect(() => setWrong(false), [at?.[0], at?.[1]]);
  const take = (event: Event): void => {
    event.preventDefault();
    const [x, y] = [numberIn(draft.texts.x), numberIn(draft.texts.y)] as const;
    const isPlace = Number.isFinite(x) && Number.isFinite(y) && !(isRound && Math.abs(y) > 90);
    setWrong(!isPlace);
    if (!isPlace) return;
    draft.drop();
    setAt([x, y]);
  };
  const field = (name: "x" | "y", label: string) => (
    <label>
      {label}{" "}
      <input
        inputMode="decimal"
        size={8}
        value={draft.texts[name]}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "place-wrong" : undefined}
        onInput={(event) => draft.write(name, event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form class="row place-form" onSubmit={take} {...draft.around}>
      {field("x", isRound ? words.longitude : words.column)}
      {field("y", isRound ? words.latitude : words.row)}
      <button type="submit">{words.take}</button>
      {at && (
        <button type="button" onClick={() => setAt(undefined)}>
          {words.leave}
        </button>
      )}
      {isWrong && (
        <p id="place-wrong" class="wrong">
          {words.badPlace}
        </p>
      )}
    </form>
  );
}

function SeriesAt({
  dataset,
  slice,
  at,
  along,
  reach,
}: Omit<Props, "setAt"> & { readonly at: Place; readonly along: Axis }) {
  const { drawn, variable } = slice;
  const cell = drawn === undefined ? OUTSIDE : cellAt(drawn.grid, at[0], at[1], reach);
  // The slice's own index along the series does not matter.
  const { [along.name]: _, ...indexes } = indexesAt(slice, cell);
  const key =
    cell === OUTSIDE
      ? undefined
      : JSON.stringify([variable.path, indexes, along.name, dataset.header.id]);
  const { value, failure, busy, retry } = useAnswer(key, async (signal) => ({
    key,
    series: await dataset.series(variable.path, indexes, along.name, signal),
  }));
  const { conversion } = slice;
  // The former place's series must not stand under the heading of this one.
  const read = value?.key === key ? value?.series : undefined;
  const series = useMemo(
    () => read && (conversion ? convertSeries(read, conversion) : read),
    [read, conversion],
  );
  if (drawn === undefined) return null;
  if (cell === OUTSIDE) return <p role="status">{words.noCell}</p>;
  const centre = drawn.grid.centre(cell);
  const units = conversion?.units ?? unitsOf(variable);
  const name = `${longName(variable)}${units === "" ? "" : ` (${units})`}`;
  const what = `${name}, ${placeText(centre[0], centre[1], drawn.grid.isRound)}`;
  const title = words.seriesOf(what);
  return (
    <>
      <h3>{title}</h3>
      {failure && <LookFailure failure={failure} retry={retry} />}
      {busy && <Busy of={words.reading(words.series)} />}
      {series && (
        <>
          <SeriesPlot series={series} title={title} />
          <SeriesTable series={series} title={title} />
        </>
      )}
    </>
  );
}
