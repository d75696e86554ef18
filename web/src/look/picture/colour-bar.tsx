import { useEffect, useRef } from "preact/hooks";
import { numberText, type Range, ticksOf } from "../draw/colour-scale.js";
import { type Colours, colourTable } from "../draw/colour-tables.js";

/** Draws the colours of a table side by side. */
export function drawBar(
  context: CanvasRenderingContext2D,
  colours: Colours,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const table = colourTable(colours);
  for (let i = 0; i < 256; i++) {
    const [red, green, blue] = table.subarray(3 * i, 3 * i + 3);
    context.fillStyle = `rgb(${red} ${green} ${blue})`;
    const from = Math.floor((i * width) / 256);
    context.fillRect(x + from, y, Math.ceil(((i + 1) * width) / 256) - from, height);
  }
}

interface Props {
  readonly colours: Colours;
  readonly range: Range;
  readonly title: string;
}

export function ColourBar({ colours, range, title }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) drawBar(context, colours, 0, 0, 512, 1);
  }, [colours]);
  const { low, high } = range;
  const share = (tick: number): number => (high > low ? (100 * (tick - low)) / (high - low) : 50);
  return (
    <figure class="colour-bar">
      <div aria-hidden="true">
        <canvas ref={canvas} width={512} height={1} />
      </div>
      <div class="colour-ticks">
        {ticksOf(range).map((tick) => (
          <span key={tick} style={{ left: `${share(tick)}%` }}>
            {numberText(tick)}
          </span>
        ))}
      </div>
      <figcaption>{title}</figcaption>
    </figure>
  );
}
