/**
 * Which part of the world a picture shows, and where each pixel lies. Equirectangular: a degree of longitude and a
 * degree of latitude each have one length in the whole picture. A matrix is shown the same way, in cells.
 */
import { CIRCLE } from "../../../../src/domain/extent/longitudes.js";
import type { Region } from "../../../../src/domain/extent/region.js";

/** East exceeds west, by at most 360 degrees; west may be any number. */
export type Extent = Region;

/** The centre, and the visible width in degrees or cells. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly span: number;
}

/** The picture on the screen. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Height of a degree (or cell) relative to its width. */
  readonly stretch: number;
  /** Whether the picture wraps from east to west, or is a plane such as a matrix. */
  readonly isRound: boolean;
  /** The visible extent, unless it wraps. */
  readonly extent: Extent;
}

/** Smallest visible width, in degrees or cells. */
const MIN_SPAN = 0.01;
/** Beyond this latitude the map gets no narrower. */
const MAX_PARALLEL = 70;

/** A longitude from -180 (included) to 180. */
export const usualLongitude = (degrees: number): number =>
  degrees - CIRCLE * Math.floor((degrees + 180) / CIRCLE);

/**
 * Height of a degree of latitude relative to one of longitude: true to scale in the middle of a region; 1 for most of
 * the world.
 */
export function stretchOf({ south, north }: Extent): number {
  if (north - south > 90) return 1;
  const parallel = Math.min(Math.abs((south + north) / 2), MAX_PARALLEL);
  return 1 / Math.cos((parallel * Math.PI) / 180);
}

/** The height at which all of the extent is visible, within bounds that fit a page. */
export function heightFor(width: number, extent: Extent, stretch: number, max: number): number {
  const { west, east, south, north } = extent;
  const height = (width * (north - south) * stretch) / (east - west);
  return Math.round(Math.min(Math.max(height, width * 0.4, 160), Math.max(max, 160)));
}

/** The view that shows the whole extent. */
export function viewOfAll(frame: Frame): View {
  const { west, east, south, north } = frame.extent;
  const acrossHeight = ((north - south) * frame.stretch * frame.width) / frame.height;
  const middle = { x: (west + east) / 2, y: (south + north) / 2 };
  return within({ ...middle, span: Math.max(east - west, acrossHeight) }, frame);
}

/** The nearest valid view. */
export function within({ x, y, span }: View, frame: Frame): View {
  const { extent, isRound } = frame;
  const { west, east, south, north } = isRound ? WORLD : extent;
  const acrossHeight = ((north - south) * frame.stretch * frame.width) / frame.height;
  const max = isRound ? CIRCLE : Math.max(east - west, acrossHeight);
  const shown = Math.min(Math.max(span, Math.min(MIN_SPAN, max)), max);
  const half = (shown * frame.height) / frame.width / frame.stretch / 2;
  return {
    x: isRound ? usualLongitude(x) : between(x, west + shown / 2, east - shown / 2),
    y: between(y, south + half, north - half),
    span: shown,
  };
}

const WORLD: Extent = { west: -180, east: 180, south: -90, north: 90 };

/** The middle if low exceeds high. */
const between = (value: number, low: number, high: number): number =>
  low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high);

/** Pixels from the upper left corner -> place. */
export function placeOf(
  px: number,
  py: number,
  view: View,
  frame: Frame,
): readonly [number, number] {
  const unit = view.span / frame.width;
  return [
    view.x + (px - frame.width / 2) * unit,
    view.y - ((py - frame.height / 2) * unit) / frame.stretch,
  ];
}

/** Place -> pixels from the upper left corner; on the globe, the copy nearest to the centre. */
export function pixelOf(x: number, y: number, view: View, frame: Frame): readonly [number, number] {
  const unit = view.span / frame.width;
  const away = frame.isRound ? usualLongitude(x - view.x) : x - view.x;
  return [frame.width / 2 + away / unit, frame.height / 2 - ((y - view.y) * frame.stretch) / unit];
}

/** Zooms by a factor (out if below 1), keeping the place at the pixel. */
export function zoomed(view: View, frame: Frame, factor: number, px: number, py: number): View {
  const [x, y] = placeOf(px, py, view, frame);
  const { span } = within({ ...view, span: view.span / factor }, frame);
  const kept = span / view.span;
  return within({ x: x + (view.x - x) * kept, y: y + (view.y - y) * kept, span }, frame);
}

/** Moves the picture by pixels. */
export function pulled(view: View, frame: Frame, right: number, down: number): View {
  const unit = view.span / frame.width;
  return within(
    { ...view, x: view.x - right * unit, y: view.y + (down * unit) / frame.stretch },
    frame,
  );
}

/** The coordinates of the centres of all pixel columns and rows. */
export function pixelPlaces(
  view: View,
  frame: Frame,
  columns: number,
  rows: number,
): { readonly xs: Float64Array; readonly ys: Float64Array } {
  const xs = Float64Array.from(
    { length: columns },
    (_, i) => placeOf(((i + 0.5) * frame.width) / columns, 0, view, frame)[0],
  );
  const ys = Float64Array.from(
    { length: rows },
    (_, i) => placeOf(0, ((i + 0.5) * frame.height) / rows, view, frame)[1],
  );
  return { xs, ys };
}
