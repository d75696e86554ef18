/** The four numbers of a box. */
import { Unreadable } from "../../../../src/domain/extent/period.js";
import { readRegion } from "../../../../src/domain/extent/region.js";
import { DraftFields } from "../../parts/draft-fields.js";
import { reading } from "../../service/reading.js";
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
  const region = reading(() => readRegion(texts.join(",")));
  return region instanceof Unreadable ? { fault: region.message } : { box: settled(region) };
}

export function BoxFields(props: {
  readonly box: Box | undefined;
  readonly take: (box: Box) => void;
}) {
  const { west, east, south, north } = words;
  return (
    <DraftFields
      held={draftOf(props.box)}
      labels={{ west, east, south, north }}
      size={7}
      inputMode="decimal"
      hint={words.degrees}
      faultOf={(texts) => {
        const { fault } = read(texts);
        return fault && words.boxFault(fault);
      }}
      take={(texts) => {
        const { box } = read(texts);
        if (box !== undefined) props.take(box);
        return box !== undefined;
      }}
    />
  );
}
