/** The period that a requirement has to cover. */
import { useId } from "preact/hooks";
import { useDraft } from "../parts/use-draft.js";
import { words } from "../words/complete.js";

interface Ends {
  readonly from: string;
  readonly to: string;
}

/** Applied when a field loses the focus or on Enter. */
export function PeriodFields({
  ends,
  take,
}: {
  readonly ends: Ends;
  readonly take: (ends: Ends) => void;
}) {
  const { texts, write, drop, around } = useDraft({ from: ends.from, to: ends.to });
  const hint = useId();
  return (
    <div class="fields" {...around}>
      {(["from", "to"] as const).map((end) => (
        <label key={end}>
          {words[end]}
          <input
            type="text"
            size={10}
            autocomplete="off"
            value={texts[end]}
            aria-describedby={hint}
            onInput={(event) => write(end, event.currentTarget.value)}
            onChange={(event) => {
              drop();
              take({ ...texts, [end]: event.currentTarget.value });
            }}
          />
        </label>
      ))}
      <small id={hint}>{words.periodHint}</small>
    </div>
  );
}
