/** The files of each project by year, as areas one upon another. */
import { USUAL } from "../service/years.js";
import { words } from "../words/start.js";
import type { Tile, Years } from "./about.js";

const WIDTH = 640;
const HEIGHT = 170;
/** Pixels below the areas, for the years. */
const AXIS = 22;
/** Width of a year, where it is largest. */
const LABEL = 54;

interface Axis {
  readonly first: number;
  readonly last: number;
}

/** The years that are shown: those with files, without a few that lie far away. */
function axisOf(all: readonly Years[]): Axis | undefined {
  const bars = all.flatMap(({ bars }) => bars).filter(({ files }) => files > 0);
  if (bars.length === 0) return undefined;
  const first = Math.min(...bars.map(({ first }) => first));
  const last = Math.max(...bars.map(({ last }) => last));
  const isUsual = last >= USUAL.first && first <= USUAL.last;
  if (!isUsual) return { first, last };
  return { first: Math.max(first, USUAL.first), last: Math.min(last, USUAL.last) };
}

/** Files in a year; the square root shows small projects beside large ones. */
const heightIn = ({ bars }: Years, year: number): number =>
  Math.sqrt(bars.find(({ first, last }) => first <= year && year <= last)?.files ?? 0);

/** Years at the axis: round ones, at most about seven. */
function ticksOf({ first, last }: Axis): number[] {
  const step =
    [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => (last - first) / one <= 7) ?? 1000;
  const start = Math.ceil(first / step) * step;
  return Array.from(
    { length: Math.floor((last - start) / step) + 1 },
    (_, at) => start + at * step,
  );
}

export function YearsPicture({ tiles }: { readonly tiles: readonly Tile[] }) {
  const axis = axisOf(tiles.map(({ years }) => years));
  if (axis === undefined) return null;
  const { first, last } = axis;
  const years = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const sums = years.map(() => 0);
  const layers = tiles.map(({ years: own }) =>
    years.map((year, at) => {
      const from = sums[at] ?? 0;
      const to = from + heightIn(own, year);
      sums[at] = to;
      return [from, to] as const;
    }),
  );
  const most = Math.max(...sums, 1);
  const x = (year: number): number => ((year - first) / (last - first + 1)) * WIDTH;
  const y = (height: number): string => ((1 - height / most) * (HEIGHT - AXIS - 4) + 4).toFixed(1);
  const outline = (layer: (typeof layers)[number], side: 0 | 1): string[] =>
    layer.flatMap((pair, at) => {
      const [from, to] = [x(first + at).toFixed(1), x(first + at + 1).toFixed(1)];
      return [`${from},${y(pair[side])}`, `${to},${y(pair[side])}`];
    });
  const texts = tiles.map(({ name, years: { first: a, last: b } }) =>
    a === null || b === null ? name : `${name} ${words.years(a, b)}`,
  );
  return (
    <figure class="start-picture">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words.pictureOf(texts)}>
        {layers.map((layer, at) => (
          <polygon
            key={tiles[at]?.name}
            class={`start-layer-${at}`}
            points={[...outline(layer, 1), ...outline(layer, 0).reverse()].join(" ")}
          />
        ))}
        <line x1={0} x2={WIDTH} y1={HEIGHT - AXIS} y2={HEIGHT - AXIS} />
        {ticksOf(axis).map((year) => (
          <text
            key={year}
            x={Math.min(Math.max(x(year), LABEL / 2), WIDTH - LABEL / 2)}
            y={HEIGHT - 4}
          >
            {year}
          </text>
        ))}
      </svg>
      <figcaption class="quiet">{words.picture}</figcaption>
    </figure>
  );
}
