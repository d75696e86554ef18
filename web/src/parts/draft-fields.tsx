import { useId } from "preact/hooks";
import { useDraft } from "./use-draft.js";

interface Props<N extends string> {
  /** Texts that are applied already, by the names of the fields. */
  readonly held: Readonly<Record<N, string>>;
  readonly labels: Readonly<Record<N, string>>;
  /** Width of a field in characters. */
  readonly size: number;
  readonly inputMode?: "decimal";
  readonly hint: string;
  /** Says what is wrong with the texts; its sentence stands in place of the hint. */
  readonly faultOf?: (texts: Readonly<Record<N, string>>) => string | undefined;
  /** @returns whether the texts could be applied */
  readonly take: (texts: Readonly<Record<N, string>>) => boolean;
}

/** Text fields that belong together, applied when one loses the focus or on Enter. */
export function DraftFields<N extends string>(props: Props<N>) {
  const { texts, write, drop, around } = useDraft(props.held);
  const hint = useId();
  const fault = props.faultOf?.(texts);
  return (
    <div class="fields" {...around}>
      {(Object.keys(props.labels) as N[]).map((name) => (
        <label key={name}>
          {props.labels[name]}
          <input
            type="text"
            inputMode={props.inputMode}
            size={props.size}
            autocomplete="off"
            value={texts[name]}
            aria-describedby={hint}
            aria-invalid={fault !== undefined}
            onInput={(event) => write(name, event.currentTarget.value)}
            onChange={(event) => {
              if (props.take({ ...texts, [name]: event.currentTarget.value })) drop();
            }}
          />
        </label>
      ))}
      <small id={hint} class={fault === undefined ? undefined : "fault"}>
        {fault ?? props.hint}
      </small>
    </div>
  );
}
