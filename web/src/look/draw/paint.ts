/** Cells and values -> the colours of pixels. */
import { colourIndex, type Range } from "./colour-scale.js";
import { OUTSIDE } from "./grid.js";

/** Pixels between the lines of the hatch that marks missing values. */
const HATCH = 8;
/** RGBA of a hatch line: a grey visible on light and dark pages. */
const LINE = [128, 128, 128, 110] as const;

/**
 * The pixels of a picture, as in ImageData. Missing values are transparent with a hatch; pixels without a cell stay
 * empty.
 *
 * @param cells the cell of each pixel, row by row
 * @param columns pixels in a row
 * @param range undefined if all values are missing
 * @param table red, green and blue of each colour
 * @param scale canvas pixels per page pixel, for the hatch
 */
export function paint(
  cells: Int32Array,
  columns: number,
  values: Float32Array,
  range: Range | undefined,
  table: Uint8Array,
  scale = 1,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * cells.length);
  // One write per pixel instead of four.
  const words = new Uint32Array(pixels.buffer);
  const count = table.length / 3;
  const colours = new Uint32Array(count);
  const bytes = new Uint8Array(colours.buffer);
  for (let i = 0; i < count; i++) {
    bytes.set([table[3 * i] ?? 0, table[3 * i + 1] ?? 0, table[3 * i + 2] ?? 0, 255], 4 * i);
  }
  const line = new Uint32Array(Uint8Array.from(LINE).buffer)[0] ?? 0;
  const gap = Math.round(HATCH * scale);
  const width = Math.max(1, Math.round(scale));
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] ?? OUTSIDE;
    if (cell === OUTSIDE) continue;
    const value = values[cell] ?? Number.NaN;
    if (range !== undefined && !Number.isNaN(value)) {
      words[i] = colours[colourIndex(value, range, count)] ?? 0;
    } else if (((i % columns) + Math.floor(i / columns)) % gap < width) {
      words[i] = line;
    }
  }
  return pixels;
}
