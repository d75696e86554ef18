/** The distinct boxes of the files found, on the map and as a table. */
import { ScrollingTable } from "../../parts/scrolling.js";
import { wholeNumber } from "../../service/numbers.js";
import type { Answer } from "../../service/request.js";
import { words } from "../../words/place.js";
import type { BOXES } from "../requests.js";
import { type Box, boxText, boxWords, storedBox } from "./box.js";

/** More boxes are not distinguishable. */
const MAX_DRAWN = 200;
/** Rows of the table. */
const MAX_ROWS = 200;

type Found = Answer<typeof BOXES>;

/** The boxes with the most files. */
export function drawnBoxes(found: Found | undefined): readonly Box[] {
  const boxes = (found?.boxes ?? []).map(storedBox);
  return [...new Map(boxes.map((box) => [boxText(box), box])).values()].slice(0, MAX_DRAWN);
}

interface Props {
  readonly found: Found;
  readonly take: (box: Box) => void;
}

export function BoxesFound({ found, take }: Props) {
  const shown = found.boxes.slice(0, MAX_ROWS);
  const title = words.boxesFound(wholeNumber(found.box_count));
  return (
    <details>
      <summary>{title}</summary>
      {shown.length < found.box_count && (
        <p class="quiet">
          {words.boxesMore(wholeNumber(shown.length), wholeNumber(found.box_count))}
        </p>
      )}
      {found.known_files < found.total_count && (
        <p class="quiet">
          {words.boxesKnown(wholeNumber(found.known_files), wholeNumber(found.total_count))}
        </p>
      )}
      <ScrollingTable
        label={title}
        class="short"
        columns={[
          words.box,
          { name: words.files, isNumber: true },
          { name: words.takeBox, isHidden: true },
        ]}
      >
        {shown.map((one) => {
          const box = storedBox(one);
          return (
            <tr key={JSON.stringify(one)}>
              <th scope="row">{boxWords(box)}</th>
              <td class="number">{wholeNumber(one.files)}</td>
              <td>
                <button
                  type="button"
                  class="plain"
                  aria-label={`${words.takeBox}: ${boxWords(box)}`}
                  onClick={() => take(box)}
                >
                  {words.takeBox}
                </button>
              </td>
            </tr>
          );
        })}
      </ScrollingTable>
    </details>
  );
}
