/** The boxes of a dataset on a small map, and in numbers. */
import { boxWords, storedBox } from "../place/region/box.js";
import { useLandPath } from "../place/region/land.js";
import { BoxShape } from "../place/region/map.js";
import type { Dataset } from "../results/datasets.js";
import { words } from "../words/dataset.js";

export function Where({ dataset }: { readonly dataset: Dataset }) {
  const land = useLandPath(0);
  const boxes = dataset.boxes.map(storedBox);
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
            {boxes.map((box) => (
              <BoxShape key={boxWords(box)} class="map-box" box={box} left={-180} />
            ))}
          </svg>
          <p>{texts.join("; ")}</p>
          {more > 0 && <p class="quiet">{words.moreBoxes(more)}</p>}
        </>
      )}
    </section>
  );
}
