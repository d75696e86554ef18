/** The picture as numbers: values at some visible places, and statistics of the slice. */

import { Scrolling } from "../../parts/scrolling.js";
import { words } from "../../words/look.js";
import { percentileOf } from "../data/percentiles.js";
import { numberText } from "../draw/colour-scale.js";
import { OUTSIDE } from "../draw/grid.js";
import { type Frame, pixelPlaces, type View } from "../draw/view.js";
import { dotReach } from "./draw-picture.js";
import { areaMean, hasAreas, type Inside } from "./means.js";
import type { Slice } from "./picture.js";
import { placeText, valueText } from "./place-text.js";

const COLUMNS = 8;
const ROWS = 6;

interface Props {
  readonly drawn: NonNullable<Slice["drawn"]>;
  readonly frame: Frame;
  readonly view: View;
  readonly title: string;
}

export function ValueTable({ drawn, frame, view, title }: Props) {
  const { field, grid } = drawn;
  const { xs, ys } = pixelPlaces(view, frame, COLUMNS, ROWS);
  const cells = grid.cellsAt(xs, ys, dotReach(view, frame));
  const axisText = (x: number, y: number): string[] =>
    placeText(x, y, grid.isRound, view.span > 20 ? 0 : 2).split(", ");
  const shown = (cell: number): string =>
    cell === OUTSIDE ? "–" : numberText(field.values[cell] ?? Number.NaN, 4);
  return (
    <details>
      <summary>{words.table}</summary>
      <Scrolling label={words.table}>
        <table>
          <caption class="quiet">{words.tableOf(title)}</caption>
          <thead>
            <tr>
              <td />
              {[...xs].map((x) => (
                <th key={x} scope="col" class="number">
                  {axisText(x, 0)[0]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...ys].map((y, row) => (
              <tr key={y}>
                <th scope="row">{axisText(0, y)[1]}</th>
                {[...xs].map((x, column) => (
                  <td key={x} class="number">
                    {shown(cells[row * COLUMNS + column] ?? OUTSIDE)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </details>
  );
}

interface SummaryProps {
  readonly slice: Slice;
  readonly field: NonNullable<Slice["drawn"]>["field"];
  /** Which cells are in view; undefined for all. */
  readonly inside: Inside | undefined;
}

/** Minimum, median, maximum, area mean and missing values of the slice. */
export function Summary({ slice: { geometry }, field, inside }: SummaryProps) {
  const missing = 1 - field.sorted.length / Math.max(field.values.length, 1);
  const { units } = field;
  const known = hasAreas(geometry, field);
  const mean = known ? areaMean(geometry, field, inside) : undefined;
  const rows = [
    [words.min, valueText(field.minimum, units)],
    [words.median, valueText(percentileOf(field.sorted, 50), units)],
    [words.max, valueText(field.maximum, units)],
    [words.missing, `${numberText(100 * missing, 3)} %`],
    ...(mean === undefined
      ? []
      : [[inside ? words.areaMeanInView : words.areaMean, valueText(Math.fround(mean), units)]]),
  ];
  return (
    <>
      <dl class="look-summary" aria-label={words.summary}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">{known ? words.weighted : words.noAreas}</p>
    </>
  );
}
