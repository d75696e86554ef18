/** The boxes of a dataset on a small map, and in numbers. */
import { useEffect, useState } from "preact/hooks";
import { type Box, boxWords, onMap, settled } from "../place/region/box.js";
import { landPath } from "../place/region/land.js";
import type { Dataset } from "../results/datasets.js";
import { words } from "../words/dataset.js";

const WEST = -180;

/** In documents, east may be one or more circles too small. */
function boxOf({ west, east, south, north }: Dataset["boxes"][number]): Box {
  const turns = Math.max(0, Math.ceil((west - east) / 360));
  return settled({ west, east: east + 360 * turns, south, north });
}

export function Where({ dataset }: { readonly dataset: Dataset }) {
  const [land, setLand] = useState("");
  useEffect(() => {
    let isGone = false;
    // The map works without coastlines.
    landPath(0).then(
      (path) => !isGone && setLand(path),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  const boxes = dataset.boxes.map(boxOf);
  const texts = [...new Set(boxes.map(boxWords))];
  const more = dataset.box_count - texts.length;
  return (
    <section class="panel" aria-labelledby="where-heading">
      <h2 id="where-heading">{words.where}</h2>
      {boxes.length === 0 ? (
        <p class="quiet">{words.noBox}</p>
      ) : (
        <>
          <svg class="map dataset-map" viewBox="0 0 360 180" role="img" aria-label={words.map}>
            <path class="map-land" d={land} />
            {boxes.flatMap((box) =>
              onMap(box, WEST).map(([west, east]) => (
                <rect
                  key={`${boxWords(box)} ${west}`}
                  class="map-box"
                  x={west - WEST}
                  y={90 - box.north}
                  width={east - west}
                  height={box.north - box.south}
                />
              )),
            )}
          </svg>
          <p>{texts.join("; ")}</p>
          {more > 0 && <p class="quiet">{words.moreBoxes(more)}</p>}
        </>
      )}
    </section>
  );
}
