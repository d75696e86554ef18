type Value = string | number;

interface Props {
  readonly id?: string;
  /** A text before it; elsewhere in the page if there is none. */
  readonly label?: string;
  /** The class of the label. */
  readonly class?: string;
  readonly value: Value | undefined;
  readonly disabled?: boolean;
  /** Values, with their texts if these are others. */
  readonly options: readonly (Value | readonly [value: Value, text: string])[];
  readonly choose: (value: string) => void;
}

/** A list to choose from. */
export function Select({ label, class: name, options, choose, ...field }: Props) {
  const select = (
    <select {...field} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map((option, at) => {
        const [value, text] = typeof option === "object" ? option : [option, option];
        return (
          <option key={at} value={value}>
            {text}
          </option>
        );
      })}
    </select>
  );
  if (label === undefined) return select;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the list is inside
    <label class={name}>
      {label}
      {select}
    </label>
  );
}
