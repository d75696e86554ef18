/** Controls of the picture: variable, slice, colours, range. */
import { useEffect, useId, useState } from "preact/hooks";
import { words } from "../../words/look.js";
import type { Axis, Indexes, Variable } from "../data/types.js";
import type { Range, RangeChoice } from "../draw/colour-scale.js";
import { COLOURS, type Colours } from "../draw/colour-tables.js";
import { FULL, ROBUST } from "../look-address.js";
import { longName } from "../variables.js";

export function VariableChoice({
  variables,
  chosen,
  choose,
}: {
  readonly variables: readonly Variable[];
  readonly chosen: Variable | undefined;
  readonly choose: (variable: Variable) => void;
}) {
  const id = useId();
  const option = (one: Variable) => (
    <option key={one.path} value={one.path}>
      {one.path}
      {longName(one) === one.name ? "" : `: ${longName(one).slice(0, 80)}`}
    </option>
  );
  const data = variables.filter(({ role }) => role === "data");
  const others = variables.filter(({ role }) => role !== "data");
  return (
    <div class="control">
      <label for={id}>{words.variable}</label>
      <select
        id={id}
        value={chosen?.path ?? ""}
        onChange={(event) => {
          const found = variables.find(({ path }) => path === event.currentTarget.value);
          if (found) choose(found);
        }}
      >
        {chosen === undefined && <option value="" />}
        {data.map(option)}
        {others.map(option)}
      </select>
    </div>
  );
}

/** A slider along a dimension that is not drawn. */
function AxisSlider({
  axis,
  index,
  move,
}: {
  readonly axis: Axis;
  readonly index: number;
  readonly move: (index: number) => void;
}) {
  const id = useId();
  const last = axis.length - 1;
  const to = (wanted: number): void => {
    if (Number.isInteger(wanted)) move(Math.min(Math.max(wanted, 0), last));
  };
  const label = axis.labels[index] ?? String(index);
  return (
    <div class="slider" role="group" aria-label={axis.name}>
      <label for={id}>{axis.name}</label>
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
        value={index}
        onInput={(event) => {
          if (event.currentTarget.value !== "") to(Number(event.currentTarget.value));
        }}
      />
      <output for={id}>{label}</output>
    </div>
  );
}

export function AxisSliders({
  axes,
  indexes,
  move,
}: {
  readonly axes: readonly Axis[];
  readonly indexes: Indexes;
  readonly move: (name: string, index: number) => void;
}) {
  if (axes.length === 0) return null;
  return (
    <fieldset class="sliders">
      <legend>{words.slice}</legend>
      {axes.map((axis) => (
        <AxisSlider
          key={axis.name}
          axis={axis}
          index={indexes[axis.name] ?? 0}
          move={(index) => move(axis.name, index)}
        />
      ))}
    </fieldset>
  );
}

export function ColourChoice({
  chosen,
  choose,
}: {
  readonly chosen: Colours;
  readonly choose: (colours: Colours) => void;
}) {
  const id = useId();
  return (
    <div class="control">
      <label for={id}>{words.colours}</label>
      <select
        id={id}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value as Colours)}
      >
        {COLOURS.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** @param present the range in use */
export function RangeControl({
  choice,
  present,
  choose,
}: {
  readonly choice: RangeChoice;
  readonly present: Range | undefined;
  readonly choose: (choice: RangeChoice) => void;
}) {
  const id = useId();
  const [texts, setTexts] = useState<readonly [string, string]>(["", ""]);
  const shown = choice.by === "hand" ? choice : present;
  useEffect(() => {
    // Percentiles have more digits than are readable.
    const text = (value: number): string =>
      String(choice.by === "hand" ? value : Number(value.toPrecision(6)));
    setTexts(shown === undefined ? ["", ""] : [text(shown.low), text(shown.high)]);
  }, [shown?.low, shown?.high]);
  const [low, high] = texts.map((text) => (text.trim() === "" ? Number.NaN : Number(text)));
  const isWrong = !(Number(low) < Number(high));
  const take = (event: Event): void => {
    event.preventDefault();
    if (!isWrong) choose({ by: "hand", low: Number(low), high: Number(high) });
  };
  const field = (at: 0 | 1, label: string) => (
    <label>
      {label}{" "}
      <input
        inputMode="decimal"
        size={9}
        value={texts[at]}
        aria-invalid={isWrong && shown !== undefined}
        aria-describedby={isWrong && shown !== undefined ? id : undefined}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTexts(at === 0 ? [text, texts[1]] : [texts[0], text]);
        }}
      />
    </label>
  );
  return (
    <form class="range" onSubmit={take}>
      <fieldset>
        <legend>{words.range}</legend>
        <div class="row">
          <button
            type="button"
            aria-pressed={choice.by === "percentiles" && choice.low === ROBUST.low}
            onClick={() => choose(ROBUST)}
          >
            {words.robust}
          </button>
          <button
            type="button"
            aria-pressed={choice.by === "percentiles" && choice.low === FULL.low}
            onClick={() => choose(FULL)}
          >
            {words.full}
          </button>
          {field(0, words.min_)}
          {field(1, words.max_)}
          <button type="submit" aria-pressed={choice.by === "hand"}>
            {words.hold}
          </button>
        </div>
        {isWrong && shown !== undefined && (
          <p id={id} class="wrong">
            {words.badRange}
          </p>
        )}
      </fieldset>
    </form>
  );
}
