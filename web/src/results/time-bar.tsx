/** Coverage of a dataset as a bar; the text beside it says the same. */
import type { Dataset } from "./datasets.js";
import {
  beginsBefore,
  intervalOfStretch,
  placeOn,
  type Stretch,
  type TimeAxis,
} from "./time-axis.js";

export function TimeBar({ axis, dataset }: { readonly axis: TimeAxis; readonly dataset: Dataset }) {
  const { periods, gaps, overlaps, retracted, files } = dataset;
  const isEarlier = beginsBefore(axis, intervalOfStretch(dataset));
  const pieces = (of: readonly Stretch[], kind: "covered" | "gap" | "overlap") =>
    of.map((stretch) => {
      const interval = intervalOfStretch(stretch);
      if (interval.end <= axis.start) return null;
      const [from, to] = placeOn(axis, interval);
      const style = { left: `${100 * from}%`, width: `${100 * (to - from)}%` };
      return <span key={stretch.start} class={`time-${kind}`} style={style} />;
    });
  return (
    <div class={retracted === files ? "time-bar is-retracted" : "time-bar"} aria-hidden="true">
      {axis.ticks.map(({ at, label }) => (
        <span key={label} class="time-tick" style={{ left: `${100 * at}%` }} />
      ))}
      {pieces(gaps, "gap")}
      {pieces(periods, "covered")}
      {pieces(overlaps, "overlap")}
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
