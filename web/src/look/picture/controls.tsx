/** Controls of the picture: variable, colours, range. */
import { useId } from "preact/hooks";
import { CheckBox } from "../../parts/check-box.js";
import { Select } from "../../parts/select.js";
import { useDraft } from "../../parts/use-draft.js";
import { words } from "../../words/look.js";
import type { Variable } from "../data/types.js";
import type { Range, RangeChoice } from "../draw/colour-scale.js";
import {
  type Colours,
  isReversed,
  STEPS,
  TABLES,
  type Table,
  tableOf,
} from "../draw/colour-tables.js";
import { FULL, type LookAddress, numberIn, ROBUST } from "../look-address.js";
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
  const option = (one: Variable): [string, string] => {
    const long = longName(one) === one.name ? "" : `: ${longName(one).slice(0, 80)}`;
    return [one.path, one.path + long];
  };
  return (
    <div class="row control">
      <label for={id}>{words.variable}</label>
      <Select
        id={id}
        value={chosen?.path ?? ""}
        options={[...(chosen === undefined ? [""] : []), ...variables.map(option)]}
        choose={(wanted) => {
          const found = variables.find(({ path }) => path === wanted);
          if (found) choose(found);
        }}
      />
    </div>
  );
}

export function ColourChoice({
  colours,
  steps,
  isLog,
  set,
}: Pick<LookAddress, "colours" | "steps" | "isLog"> & {
  /** Parameters of the address; undefined for their defaults. */
  readonly set: (values: Record<string, string | undefined>) => void;
}) {
  const [table, number] = [useId(), useId()];
  const choose = (one: Table, isTurned: boolean): void =>
    set({ colours: (isTurned ? `${one}_r` : one) satisfies Colours });
  const own = tableOf(colours);
  const counts: readonly number[] = STEPS;
  return (
    <div class="row control">
      <label for={table}>{words.colours}</label>
      <Select
        id={table}
        value={own}
        options={TABLES}
        choose={(one) => choose(one as Table, isReversed(colours))}
      />
      <CheckBox isOn={isReversed(colours)} set={(isOn) => choose(own, isOn)}>
        {words.reversed}
      </CheckBox>
      <label for={number}>{words.steps}</label>
      <Select
        id={number}
        value={steps ?? ""}
        options={[
          ["", words.smooth],
          ...(steps === undefined || counts.includes(steps) ? [] : [steps]),
          ...counts,
        ]}
        choose={(count) => set({ steps: count || undefined })}
      />
      <CheckBox isOn={isLog} set={(isOn) => set({ scale: isOn ? "log" : undefined })}>
        {words.log}
      </CheckBox>
    </div>
  );
}

/** The units of the file, and others that scientists read. */
export function UnitsChoice({
  own,
  other,
  isOther,
  choose,
}: {
  readonly own: string;
  readonly other: string;
  readonly isOther: boolean;
  readonly choose: (isOther: boolean) => void;
}) {
  return (
    <div class="joined" role="group" aria-label={words.units}>
      {[own, other].map((units, i) => (
        <button
          key={units}
          type="button"
          aria-pressed={isOther === (i === 1)}
          onClick={() => choose(i === 1)}
        >
          {units}
        </button>
      ))}
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
  const shown = choice.by === "hand" ? choice : present;
  // Percentiles have more digits than are readable.
  const held = (value: number | undefined): string =>
    value === undefined ? "" : String(choice.by === "hand" ? value : Number(value.toPrecision(6)));
  const draft = useDraft({ low: held(shown?.low), high: held(shown?.high) });
  const [low, high] = [numberIn(draft.texts.low), numberIn(draft.texts.high)] as const;
  const take = (chosen: RangeChoice): void => {
    draft.drop();
    choose(chosen);
  };
  const isWrong = !(low < high);
  const hold = (event: Event): void => {
    event.preventDefault();
    if (!isWrong) take({ by: "hand", low, high });
  };
  const field = (name: "low" | "high", label: string) => (
    <label>
      {label}{" "}
      <input
        inputMode="decimal"
        size={9}
        value={draft.texts[name]}
        aria-invalid={isWrong && shown !== undefined}
        aria-describedby={isWrong && shown !== undefined ? id : undefined}
        onInput={(event) => draft.write(name, event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form class="range" onSubmit={hold} {...draft.around}>
      <fieldset>
        <legend>{words.range}</legend>
        <div class="row">
          <button
            type="button"
            aria-pressed={choice.by === "percentiles" && choice.low === ROBUST.low}
            onClick={() => take(ROBUST)}
          >
            {words.robust}
          </button>
          <button
            type="button"
            aria-pressed={choice.by === "percentiles" && choice.low === FULL.low}
            onClick={() => take(FULL)}
          >
            {words.full}
          </button>
          {field("low", words.min_)}
          {field("high", words.max_)}
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
