/** The colours of a picture with their values. Arrows at its ends tell that values lie beyond. */
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../words/look.js";
import type { Field } from "../data/types.js";
import { numberText, type Range, shareOf, ticksOf } from "../draw/colour-scale.js";

const hex = (table: Uint8Array, i: number): string =>
  `#${[0, 1, 2].map((part) => (table[3 * i + part] ?? 0).toString(16).padStart(2, "0")).join("")}`;

/** Draws the colours of a table side by side. */
export function drawBar(
  context: CanvasRenderingContext2D,
  table: Uint8Array,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const count = table.length / 3;
  for (let i = 0; i < count; i++) {
    context.fillStyle = hex(table, i);
    const from = Math.floor((i * width) / count);
    context.fillRect(x + from, y, Math.ceil(((i + 1) * width) / count) - from, height);
  }
}

/** Whether values lie below and above a range. */
export const beyond = (
  { minimum, maximum }: Pick<Field, "minimum" | "maximum">,
  { low, high }: Range,
): readonly [below: boolean, above: boolean] => [minimum < low, maximum > high];

/** Draws an arrow at an end of the bar. */
export function drawArrow(
  context: CanvasRenderingContext2D,
  table: Uint8Array,
  side: "left" | "right",
  x: number,
  y: number,
  height: number,
): void {
  const to = side === "left" ? -height : height;
  context.fillStyle = hex(table, side === "left" ? 0 : table.length / 3 - 1);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + to, y + height / 2);
  context.lineTo(x, y + height);
  context.fill();
}

interface Props {
  readonly table: Uint8Array;
  readonly range: Range;
  readonly field: Pick<Field, "minimum" | "maximum">;
  readonly title: string;
}

/** Pixels of the canvas, which is stretched. */
const HEIGHT = 16;
const WIDTH = 512;

export function ColourBar({ table, range, field, title }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [below, above] = beyond(field, range);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, WIDTH + 2 * HEIGHT, HEIGHT);
    drawBar(context, table, HEIGHT, 0, WIDTH, HEIGHT);
    if (below) drawArrow(context, table, "left", HEIGHT, 0, HEIGHT);
    if (above) drawArrow(context, table, "right", HEIGHT + WIDTH, 0, HEIGHT);
  }, [table, below, above]);
  return (
    <figure class="colour-bar">
      <div aria-hidden="true">
        <canvas ref={canvas} width={WIDTH + 2 * HEIGHT} height={HEIGHT} />
      </div>
      <div class="colour-ticks">
        {ticksOf(range).map((tick) => (
          <span key={tick} style={{ left: `${100 * shareOf(tick, range)}%` }}>
            {numberText(tick)}
          </span>
        ))}
      </div>
      <figcaption class="quiet">
        {title}
        {(below || above) && ` · ${words.beyond(below, above)}`}
      </figcaption>
    </figure>
  );
}
