/** Coverage of a dataset as a bar; the text beside it says the same. */
import type { Dataset } from "./datasets.js";
import {
  beginsBefore,
  intervalOfStretch,
  placeOn,
  type Stretch,
  type TimeAxis,
} from "./time-axis.js";

interface PieceProps {
  readonly axis: TimeAxis;
  readonly of: Stretch;
  readonly kind: "covered" | "gap" | "overlap";
}

function Piece({ axis, of, kind }: PieceProps) {
  const interval = intervalOfStretch(of);
  if (interval.end <= axis.start) return null;
  const [from, to] = placeOn(axis, interval);
  const style = { left: `${100 * from}%`, width: `${100 * (to - from)}%` };
  return <span class={`time-${kind}`} style={style} />;
}

export function TimeBar({ axis, dataset }: { readonly axis: TimeAxis; readonly dataset: Dataset }) {
  const { periods, gaps, overlaps, retracted, files } = dataset;
  const isEarlier = beginsBefore(axis, intervalOfStretch(dataset));
  return (
    <div class={retracted === files ? "time-bar is-retracted" : "time-bar"} aria-hidden="true">
      {axis.ticks.map(({ at, label }) => (
        <span key={label} class="time-tick" style={{ left: `${100 * at}%` }} />
      ))}
      {gaps.map((gap) => (
        <Piece key={gap.start} axis={axis} of={gap} kind="gap" />
      ))}
      {periods.map((period) => (
        <Piece key={period.start} axis={axis} of={period} kind="covered" />
      ))}
      {overlaps.map((overlap) => (
        <Piece key={overlap.start} axis={axis} of={overlap} kind="overlap" />
      ))}
      {isEarlier && <span class="time-earlier" />}
    </div>
  );
}

/** In em, with the distance between digits of equal width. */
const HALF_DIGIT = 0.33;

/** The years above the bars, each over its tick or beside the edge. */
export function AxisLabels({ axis }: { readonly axis: TimeAxis }) {
  return (
    <div class="time-axis" aria-hidden="true">
      {axis.ticks.map(({ at, label }) => {
        const half = `${HALF_DIGIT * label.length}em`;
        const left = `clamp(${half}, ${100 * at}%, 100% - ${half})`;
        return (
          <span key={label} style={{ left }}>
            {label}
          </span>
        );
      })}
    </div>
  );
}
