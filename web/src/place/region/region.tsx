/** The region of a search: a map, four numbers, or a named region. */
import { useId, useMemo, useState } from "preact/hooks";
import {
  boxAround,
  NAMED_REGIONS,
  type NamedRegion,
} from "../../../../src/domain/extent/named-regions.js";
import { change, search } from "../../address/address.js";
import { Select } from "../../parts/select.js";
import { useSettling } from "../../parts/use-settling.js";
import { useJson } from "../../service/answer.js";
import { useFlavour } from "../../service/flavours.js";
import { words } from "../../words/place.js";
import { boxIn, setBox, setSelect } from "../in-search.js";
import { BOXES, foundWithout } from "../requests.js";
import { type Box, boxText, writtenBox } from "./box.js";
import { BoxFields } from "./box-fields.js";
import { BoxesFound, drawnBoxes } from "./boxes-found.js";
import { type Centre, WorldMap } from "./map.js";
import { NamedRegions } from "./named-regions.js";

const CENTRES: readonly Centre[] = [0, 180];

/** Edits `bbox` and `bbox_select` in the address. */
export function Region() {
  const { pairs } = search.value;
  const { chosen, text, select, others } = boxIn(pairs);
  const settling = useSettling<Box | undefined>(chosen, text ?? "", (box) =>
    change((query) => setBox(query, text, box)),
  );
  const [centre, setCentre] = useState<Centre>(() => ((chosen?.east ?? 0) > 180 ? 180 : 0));
  const [pointed, point] = useState<NamedRegion>();
  const named = useMemo(() => regionOf(text), [text]);
  const heading = useId();
  const flavour = useFlavour();
  const found = useJson(
    BOXES,
    flavour === undefined ? undefined : foundWithout("bbox", flavour),
  ).value;
  const boxes = useMemo(() => drawnBoxes(found), [found]);
  const box = settling.value;
  return (
    <section class="region" aria-labelledby={heading}>
      <h2 id={heading}>{words.region}</h2>
      <div class="row" role="group" aria-label={words.centre}>
        <span class="quiet" aria-hidden="true">
          {words.centre}
        </span>
        {CENTRES.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === centre}
            onClick={() => setCentre(one)}
          >
            {words.centres[one]}
          </button>
        ))}
        <button
          type="button"
          class="plain"
          disabled={text === undefined}
          onClick={() => settling.settle(undefined)}
        >
          {words.clearRegion}
        </button>
      </div>
      <WorldMap
        box={box}
        centre={centre}
        found={boxes}
        outlined={pointed ?? named}
        show={settling.show}
        move={settling.move}
        settle={settling.settle}
        drop={settling.drop}
      />
      {named && !pointed && <p class="quiet">{words.within(named.name, named.code)}</p>}
      <BoxFields box={box} take={settling.settle} />
      <Select
        class="select-field"
        label={words.bboxSelect}
        value={select}
        options={Object.entries(words.bboxSelects)}
        disabled={text === undefined}
        choose={(one) => change((query) => setSelect(query, "bbox", one))}
      />
      {others.length > 0 && (
        <p class="quiet">
          {words.otherPeriods} {others.map(writtenBox).join("; ")}
        </p>
      )}
      <NamedRegions
        text={text}
        take={(region) => settling.settle(boxAround(region))}
        point={point}
      />
      {found && <BoxesFound found={found} take={settling.settle} />}
    </section>
  );
}

/** The named region that has this box. */
const regionOf = (text: string | undefined): NamedRegion | undefined =>
  text === undefined
    ? undefined
    : NAMED_REGIONS.find((region) => boxText(boxAround(region)) === text);
