/** The four numbers of a box. */
import { useId } from "preact/hooks";
import { Unreadable } from "../../../../src/domain/extent/period.js";
import { readRegion } from "../../../../src/domain/extent/region.js";
import { useDraft } from "../../parts/use-draft.js";
import { words } from "../../words/place.js";
import { type Box, boxText, settled } from "./box.js";

const SIDES = ["west", "east", "south", "north"] as const;
type Side = (typeof SIDES)[number];
type Draft = Readonly<Record<Side, string>>;

const EMPTY: Draft = { west: "", east: "", south: "", north: "" };

/** As in the address: west exceeds east across the antimeridian. */
function draftOf(box: Box | undefined): Draft {
  if (box === undefined) return EMPTY;
  const [west = "", east = "", south = "", north = ""] = boxText(box).split(",");
  return { west, east, south, north };
}

/** @returns the box, or what is wrong with the numbers; neither if one is missing */
function read(draft: Draft): { readonly box?: Box; readonly fault?: string } {
  const texts = SIDES.map((side) => draft[side].trim());
  if (texts.includes("")) return {};
  try {
    return { box: settled(readRegion(texts.join(","))) };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.message };
    throw error;
  }
}

/** Applied when a field loses the focus or on Enter. */
export function BoxFields(props: {
  readonly box: Box | undefined;
  readonly take: (box: Box) => void;
}) {
  const { texts, write, drop, around } = useDraft(draftOf(props.box));
  const hint = useId();
  const { fault } = read(texts);
  return (
    <div class="fields" {...around}>
      {SIDES.map((side) => (
        <label key={side}>
          {words[side]}
          <input
            type="text"
            inputMode="decimal"
            size={7}
            autocomplete="off"
            value={texts[side]}
            aria-describedby={hint}
            aria-invalid={fault !== undefined}
            onInput={(event) => write(side, event.currentTarget.value)}
            onChange={(event) => {
              const { box } = read({ ...texts, [side]: event.currentTarget.value });
              if (box === undefined) return;
              drop();
              props.take(box);
            }}
          />
        </label>
      ))}
      <small id={hint} class={fault === undefined ? undefined : "fault"}>
        {fault === undefined ? words.degrees : words.boxFault(fault)}
      </small>
    </div>
  );
}
