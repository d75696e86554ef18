/** Draws a slice on a canvas: cells, lines and marks. */

import type { Range } from "../draw/colour-scale.js";
import type { Grid } from "../draw/grid.js";
import { type Land, traceLand } from "../draw/land.js";
import { paint } from "../draw/paint.js";
import { type Frame, pixelOf, pixelPlaces, type View } from "../draw/view.js";

/** Half the width of a dot in pixels. */
const DOT = 4;

/** Reach of a dot in degrees, or cells. */
export const dotReach = (view: View, frame: Frame): number => (DOT * view.span) / frame.width;

/** Caches which cell each pixel shows, as slices of the same view share it. */
export class Cells {
  #known: { readonly key: readonly unknown[]; readonly cells: Int32Array } | undefined;
  /** Milliseconds of the last lookup. */
  took = 0;

  /** @param columns pixels of the canvas, which may differ from those of the page */
  find(grid: Grid, view: View, frame: Frame, columns: number, rows: number): Int32Array {
    const key = [grid, columns, rows, view.x, view.y, view.span, frame.stretch];
    if (this.#known?.key.every((one, i) => one === key[i])) return this.#known.cells;
    const start = performance.now();
    const { xs, ys } = pixelPlaces(view, frame, columns, rows);
    const cells = grid.cellsAt(xs, ys, dotReach(view, frame));
    this.took = performance.now() - start;
    this.#known = { key, cells };
    return cells;
  }
}

/** Draws the cells; the canvas is resized to the number of cells given. */
export function drawCells(
  canvas: HTMLCanvasElement,
  cells: Int32Array,
  columns: number,
  values: Float32Array,
  range: Range | undefined,
  table: Uint8Array,
  scale: number,
): void {
  const rows = cells.length / columns;
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const pixels = paint(cells, columns, values, range, table, scale);
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, columns, rows), 0, 0);
}

/** Degrees between two lines of the graticule, so that about five are visible. */
function gridStep(span: number): number {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60];
  return steps.find((step) => span / step <= 7) ?? 60;
}

/** Draws coastlines and graticule. @param context in page pixels */
export function drawLines(
  context: CanvasRenderingContext2D,
  view: View,
  frame: Frame,
  land: Land | undefined,
): void {
  if (!frame.isRound) return;
  context.lineWidth = 0.5;
  context.strokeStyle = "rgb(128 128 128 / 0.55)";
  context.beginPath();
  const step = gridStep(view.span);
  const half = view.span / 2;
  for (let x = Math.ceil((view.x - half) / step) * step; x <= view.x + half; x += step) {
    const [px] = pixelOf(x, view.y, view, frame);
    context.moveTo(px, 0);
    context.lineTo(px, frame.height);
  }
  for (let y = -90; y <= 90; y += step) {
    const [, py] = pixelOf(view.x, y, view, frame);
    context.moveTo(0, py);
    context.lineTo(frame.width, py);
  }
  context.stroke();
  if (land === undefined) return;
  // A light line inside a dark one is visible on every colour.
  for (const [colour, width] of [
    ["rgb(255 255 255 / 0.65)", 2],
    ["rgb(20 20 20 / 0.9)", 0.9],
  ] as const) {
    context.beginPath();
    traceLand(land, context, view, frame);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
}

/** Draws a cross, and a ring where a series is taken. */
export function drawMark(
  context: CanvasRenderingContext2D,
  place: readonly [number, number],
  kind: "cross" | "ring",
  view: View,
  frame: Frame,
): void {
  const [px, py] = pixelOf(place[0], place[1], view, frame);
  for (const [colour, width] of [
    ["white", 4],
    ["black", 1.5],
  ] as const) {
    context.beginPath();
    if (kind === "ring") context.arc(px, py, 6, 0, 2 * Math.PI);
    else {
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
      ] as const) {
        context.moveTo(px - 12 * dx, py - 12 * dy);
        context.lineTo(px - 3 * dx, py - 3 * dy);
        context.moveTo(px + 3 * dx, py + 3 * dy);
        context.lineTo(px + 12 * dx, py + 12 * dy);
      }
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
}
