/**
 * Which part of the world a picture shows, and where each pixel lies. The projection is equirectangular: degrees of longitude
 * and of latitude have each one length in the whole picture. A matrix is shown in the same way, in cells.
 */
import { CIRCLE } from "../../../../src/domain/extent/longitudes.js";

/** East is greater than west, by 360 degrees at most; west may be anything. */
export interface Extent {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** What is in the middle, and how much is to be seen from the left to the right: degrees, or cells. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly span: number;
}

/** The picture on the screen. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** So many times longer than a step to the right is the same step upwards. */
  readonly stretch: number;
  /** Of the world, which goes round from east to west, or of a plane such as a matrix. */
  readonly isRound: boolean;
  /** What there is to be seen, where it does not go round. */
  readonly extent: Extent;
}

/** Less is not shown: degrees, or cells. */
const MIN_SPAN = 0.01;
/** Beyond this latitude a map does not get narrower. */
const MAX_PARALLEL = 70;

/** A longitude as people write it: -180 to 180, the latter left out. */
export const usualLongitude = (degrees: number): number =>
  degrees - CIRCLE * Math.floor((degrees + 180) / CIRCLE);

/**
 * How much longer a degree of latitude is drawn than one of longitude: as on the ground in the middle of a region; alike where
 * much of the world is seen.
 */
export function stretchOf({ south, north }: Extent): number {
  if (north - south > 90) return 1;
  const parallel = Math.min(Math.abs((south + north) / 2), MAX_PARALLEL);
  return 1 / Math.cos((parallel * Math.PI) / 180);
}

/** A height for a width by which all of the extent is seen, within bounds that a page can show. */
export function heightFor(width: number, extent: Extent, stretch: number, most: number): number {
  const { west, east, south, north } = extent;
  const height = (width * (north - south) * stretch) / (east - west);
  return Math.round(Math.min(Math.max(height, width * 0.4, 160), Math.max(most, 160)));
}

/** The view in which all of the extent is seen. */
export function viewOfAll(frame: Frame): View {
  const { west, east, south, north } = frame.extent;
  const acrossHeight = ((north - south) * frame.stretch * frame.width) / frame.height;
  const middle = { x: (west + east) / 2, y: (south + north) / 2 };
  return within({ ...middle, span: Math.max(east - west, acrossHeight) }, frame);
}

/** The view that is as near as can be to what is asked for. */
export function within({ x, y, span }: View, frame: Frame): View {
  const { extent, isRound } = frame;
  const { west, east, south, north } = isRound ? WORLD : extent;
  const acrossHeight = ((north - south) * frame.stretch * frame.width) / frame.height;
  const most = isRound ? CIRCLE : Math.max(east - west, acrossHeight);
  const shown = Math.min(Math.max(span, Math.min(MIN_SPAN, most)), most);
  const half = (shown * frame.height) / frame.width / frame.stretch / 2;
  return {
    x: isRound ? usualLongitude(x) : between(x, west + shown / 2, east - shown / 2),
    y: between(y, south + half, north - half),
    span: shown,
  };
}

const WORLD: Extent = { west: -180, east: 180, south: -90, north: 90 };

/** The middle, where there is no room to choose. */
const between = (value: number, low: number, high: number): number =>
  low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high);

/** Pixels from the upper left corner -> the place that is there. */
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

/** A place -> pixels from the upper left corner; round the world, those of the copy that is nearest to the middle. */
export function pixelOf(x: number, y: number, view: View, frame: Frame): readonly [number, number] {
  const unit = view.span / frame.width;
  const away = frame.isRound ? usualLongitude(x - view.x) : x - view.x;
  return [frame.width / 2 + away / unit, frame.height / 2 - ((y - view.y) * frame.stretch) / unit];
}

/** Nearer by a factor (farther if it is below 1), so that what is at the pixel stays there. */
export function zoomed(view: View, frame: Frame, factor: number, px: number, py: number): View {
  const [x, y] = placeOf(px, py, view, frame);
  const { span } = within({ ...view, span: view.span / factor }, frame);
  const kept = span / view.span;
  return within({ x: x + (view.x - x) * kept, y: y + (view.y - y) * kept, span }, frame);
}

/** The picture pulled by so many pixels to the right and down. */
export function pulled(view: View, frame: Frame, right: number, down: number): View {
  const unit = view.span / frame.width;
  return within(
    { ...view, x: view.x - right * unit, y: view.y + (down * unit) / frame.stretch },
    frame,
  );
}

/** The places of the middles of all columns and of all rows of a picture of so many pixels. */
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
