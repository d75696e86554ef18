import type { ComponentChildren } from "preact";

interface Props {
  readonly class?: string;
  readonly title?: string | undefined;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly set: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick, with its text. */
export function CheckBox({ class: name = "row", title, isOn, disabled, set, children }: Props) {
  return (
    <label class={name} title={title}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

interface ChipProps extends Pick<Props, "title" | "disabled"> {
  readonly value: string;
  readonly chosen: readonly string[];
  readonly choose: (values: readonly string[]) => void;
}

/** One of the values that are chosen by ticking them. */
export const Chip = ({ value, chosen, choose, ...more }: ChipProps) => (
  <CheckBox
    class="chip"
    {...more}
    isOn={chosen.includes(value)}
    set={(isOn) => choose(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))}
  >
    {value}
  </CheckBox>
);
