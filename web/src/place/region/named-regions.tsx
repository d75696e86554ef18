/** The AR6 regions: find by code or name, see the outline, and take the bounding box. */
import { useState } from "preact/hooks";
import {
  boxAround,
  findRegions,
  type NamedRegion,
} from "../../../../src/domain/extent/named-regions.js";
import { words } from "../../words/place.js";
import { boxText, boxWords } from "./box.js";

interface Props {
  /** The `bbox` of the search. */
  readonly text: string | undefined;
  readonly take: (region: NamedRegion) => void;
  /** Called with the region under the pointer or focus. */
  readonly point: (region: NamedRegion | undefined) => void;
}

export function NamedRegions({ text, take, point }: Props) {
  const [wanted, setWanted] = useState("");
  const found = findRegions(wanted);
  return (
    <details class="named-regions">
      <summary>{words.named}</summary>
      <label>
        {words.findNamed}
        <input
          type="search"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </label>
      <p class="quiet" role="status">
        {found.length === 0 ? words.noneNamed : words.namedFound(found.length)}
      </p>
      <ul class="bare" onPointerLeave={() => point(undefined)}>
        {found.map((region) => {
          const box = boxAround(region);
          return (
            <li key={region.code}>
              <button
                type="button"
                class="plain"
                aria-pressed={boxText(box) === text}
                title={boxWords(box)}
                onClick={() => take(region)}
                onPointerEnter={() => point(region)}
                onFocus={() => point(region)}
                onBlur={() => point(undefined)}
              >
                <code>{region.code}</code> {region.name}
                <span class="quiet">{region.surface}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <small>{words.source}</small>
    </details>
  );
}
