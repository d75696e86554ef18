/** Sliders along the dimensions that are not drawn, by step or as an animation. */
import { useEffect, useId, useState } from "preact/hooks";
import { Icon } from "../../../parts/icon.js";
import { useDraft } from "../../../parts/use-draft.js";
import { calendarWords } from "../../../service/dates.js";
import { words } from "../../../words/look.js";
import type { Axis, Indexes } from "../../data/types.js";

/** A slider along a dimension that is not drawn. */
function AxisSlider({
  axis,
  index,
  move,
  isPlaying,
  play,
}: {
  readonly axis: Axis;
  readonly index: number;
  readonly move: (index: number) => void;
  readonly isPlaying: boolean;
  /** Starts or stops the animation. */
  readonly play: (isOn: boolean) => void;
}) {
  const id = useId();
  const last = axis.length - 1;
  const to = (wanted: number): void => {
    play(false);
    if (Number.isInteger(wanted)) move(Math.min(Math.max(wanted, 0), last));
  };
  const written = axis.labels[index] ?? String(index);
  const label = axis.kind === "time" ? calendarWords(written) : written;
  const number = useDraft({ index: String(index) });
  return (
    <div class="slider" role="group" aria-label={axis.name}>
      <label for={id}>{axis.name}</label>
      <button
        type="button"
        aria-label={isPlaying ? words.pause(axis.name) : words.play(axis.name)}
        title={isPlaying ? words.pause(axis.name) : words.play(axis.name)}
        disabled={last === 0}
        onClick={() => play(!isPlaying)}
      >
        <Icon of={isPlaying ? "pause" : "play"} />
      </button>
      <button
        type="button"
        aria-label={words.former(axis.name)}
        disabled={index <= 0}
        onClick={() => to(index - 1)}
      >
        ‹
      </button>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        step={1}
        value={index}
        aria-valuetext={label}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <button
        type="button"
        aria-label={words.next(axis.name)}
        disabled={index >= last}
        onClick={() => to(index + 1)}
      >
        ›
      </button>
      <input
        type="number"
        aria-label={words.index(axis.name)}
        min={0}
        max={last}
        value={number.texts.index}
        {...number.around}
        onInput={(event) => {
          const { value } = event.currentTarget;
          number.write("index", value);
          if (value !== "") to(Number(value));
        }}
        onChange={number.drop}
      />
      <output for={id}>{label}</output>
    </div>
  );
}

/** Milliseconds that each step is shown. */
const STEP_TIME = 350;

export function AxisSliders({
  axes,
  indexes,
  busy,
  move,
}: {
  readonly axes: readonly Axis[];
  readonly indexes: Indexes;
  /** Whether a slice is loading: an animation waits for it. */
  readonly busy: boolean;
  readonly move: (name: string, index: number) => void;
}) {
  const [playing, setPlaying] = useState<string>();
  const axis = axes.find(({ name }) => name === playing);
  const at = axis && (indexes[axis.name] ?? 0);
  useEffect(() => {
    if (axis === undefined || at === undefined || busy) return;
    const timer = setTimeout(() => move(axis.name, (at + 1) % axis.length), STEP_TIME);
    return () => clearTimeout(timer);
  }, [axis?.name, at, busy]);
  if (axes.length === 0) return null;
  return (
    <fieldset class="sliders">
      <legend>{words.slice}</legend>
      {axes.map((one) => (
        <AxisSlider
          key={one.name}
          axis={one}
          index={indexes[one.name] ?? 0}
          move={(index) => move(one.name, index)}
          isPlaying={one.name === playing}
          play={(isOn) => setPlaying(isOn ? one.name : undefined)}
        />
      ))}
    </fieldset>
  );
}
