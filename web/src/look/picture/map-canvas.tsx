/** The picture of a slice: drawn, moved, and read by pointer and keyboard. */
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { words } from "../../words/look.js";
import type { Field } from "../data/types.js";
import type { Range } from "../draw/colour-scale.js";
import type { Grid } from "../draw/grid.js";
import { useLand } from "../draw/land.js";
import {
  type Frame,
  pixelOf,
  placeOf,
  pulled,
  type View,
  viewOfAll,
  within,
  zoomed,
} from "../draw/view.js";
import { Cells, dotReach, drawCells, drawLines, drawMark } from "./draw-picture.js";
import { cellAt, type Shown, shownAt } from "./picture.js";

type Place = readonly [number, number];

interface Props {
  readonly field: Field;
  readonly grid: Grid;
  readonly range: Range | undefined;
  readonly table: Uint8Array;
  readonly frame: Frame;
  readonly view: View;
  readonly setView: (view: View) => void;
  /** Position of the cross, set by keyboard or pointer. */
  readonly cross: Place | undefined;
  /** @param isAnnounced whether to announce the value, as for the keyboard */
  readonly setCross: (place: Place | undefined, isAnnounced: boolean) => void;
  /** The place of a series. */
  readonly at: Place | undefined;
  readonly pick: (place: Place) => void;
  readonly label: string;
}

/** The canvas, which can tell what any of its pixels shows (used by tests). */
interface PictureCanvas extends HTMLCanvasElement {
  /** @param px page pixels from the canvas's upper left corner */
  shownAt?: (px: number, py: number) => Shown;
}

/** A press that moves fewer pixels is a click. */
const MIN_MOVE = 4;
/** If finding cells takes longer (milliseconds), the picture is coarser while it moves. */
const MAX_LOOKUP_TIME = 40;
const COARSER = 3;
/** Milliseconds after which the picture is at rest. */
const REST_DELAY = 160;
const ZOOM = 1.6;

export function MapCanvas(props: Props) {
  const { field, grid, range, table, frame, view, cross, at } = props;
  const canvas = useRef<PictureCanvas>(null);
  const lines = useRef<HTMLCanvasElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const cells = useMemo(() => new Cells(), []);
  const land = useLand();
  const help = useId();
  const scale = Math.min(devicePixelRatio || 1, 3);
  const former = useRef({ view, frame });

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const draw = (coarser: number): void => {
      const columns = Math.max(1, Math.round((frame.width * scale) / coarser));
      const rows = Math.max(1, Math.round((frame.height * scale) / coarser));
      const found = cells.find(grid, view, frame, columns, rows);
      drawCells(element, found, columns, field.values, range, table, scale / coarser);
      element.classList.toggle("look-map-coarse", coarser > 1);
    };
    const isMoving = former.current.view !== view && former.current.frame === frame;
    former.current = { view, frame };
    const isSlow = isMoving && cells.took > MAX_LOOKUP_TIME;
    if (isSlow) draw(COARSER);
    else draw(1);
    const took = cells.took;
    // A coarse lookup is quick: remember that a full one is slow until the picture rests.
    if (isSlow) cells.took = Math.max(took, MAX_LOOKUP_TIME + 1);
    const later = isSlow ? setTimeout(() => draw(1), REST_DELAY) : undefined;
    element.shownAt = (px, py) =>
      shownAt({ field, grid }, placeOf(px, py, view, frame), dotReach(view, frame), range, table);
    return () => clearTimeout(later);
  }, [field, grid, range?.low, range?.high, range?.isLog, table, frame, view, scale]);

  useEffect(() => {
    const element = lines.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    element.width = Math.round(frame.width * scale);
    element.height = Math.round(frame.height * scale);
    context.scale(scale, scale);
    drawLines(context, view, frame, land);
    if (at) drawMark(context, at, "ring", view, frame);
    if (cross) drawMark(context, cross, "cross", view, frame);
  }, [frame, view, land, at?.[0], at?.[1], cross?.[0], cross?.[1], scale]);

  const handlers = usePointer(props);
  // Browsers treat Preact's wheel listeners as passive, and these cannot stop the page from scrolling.
  const zoomBy = useRef(handlers.wheel);
  zoomBy.current = handlers.wheel;
  useEffect(() => {
    const element = surface.current;
    const listener = (event: WheelEvent): void => zoomBy.current(event);
    element?.addEventListener("wheel", listener, { passive: false });
    return () => element?.removeEventListener("wheel", listener);
  }, []);

  return (
    <div class="look-map" style={{ height: `${frame.height}px` }}>
      <div aria-hidden="true">
        <canvas ref={canvas} />
        <canvas ref={lines} />
      </div>
      <div
        ref={surface}
        class="look-map-surface"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is read and moved by keys
        tabIndex={0}
        role="application"
        aria-roledescription={words.title}
        aria-label={props.label}
        aria-describedby={help}
        onPointerDown={handlers.down}
        onPointerMove={handlers.move}
        onPointerUp={handlers.up}
        onPointerCancel={handlers.cancel}
        onPointerLeave={handlers.leave}
        onKeyDown={(event) => keys(event, props)}
      />
      <p id={help} class="visually-hidden">
        {words.help}
      </p>
    </div>
  );
}

function usePointer(props: Props) {
  const { frame, view, setView, setCross, pick } = props;
  const press = useRef<{ x: number; y: number; view: View; moved: boolean } | undefined>(undefined);
  const at = (event: MouseEvent): Place => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const placeUnder = (event: MouseEvent): Place => placeOf(...at(event), view, frame);
  return {
    down(event: PointerEvent) {
      if (event.button !== 0) return;
      const [x, y] = at(event);
      press.current = { x, y, view, moved: false };
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    move(event: PointerEvent) {
      const pressed = press.current;
      if (pressed === undefined) {
        setCross(placeUnder(event), false);
        return;
      }
      const [x, y] = at(event);
      const [right, down] = [x - pressed.x, y - pressed.y];
      if (Math.hypot(right, down) > MIN_MOVE) pressed.moved = true;
      if (pressed.moved) setView(pulled(pressed.view, frame, right, down));
    },
    up(event: PointerEvent) {
      const pressed = press.current;
      press.current = undefined;
      if (!pressed || pressed.moved) return;
      // A finger cannot point: a tap tells the value.
      if (event.pointerType !== "mouse") setCross(placeUnder(event), true);
      pick(placeUnder(event));
    },
    cancel() {
      press.current = undefined;
    },
    leave(event: PointerEvent) {
      if (press.current === undefined && event.pointerType === "mouse") setCross(undefined, false);
    },
    wheel(event: WheelEvent) {
      const factor = 1.0015 ** -event.deltaY;
      const [px, py] = at(event);
      const next = zoomed(view, frame, Math.min(Math.max(factor, 0.5), 2), px, py);
      // At the zoom limit, the page scrolls as usual.
      if (next.span === view.span) return;
      event.preventDefault();
      setView(next);
    },
  };
}

const STEPS: Readonly<Record<string, Place>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function keys(event: KeyboardEvent, props: Props): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { frame, view, setView, cross, setCross, pick } = props;
  const from = cross ?? placeOf(frame.width / 2, frame.height / 2, view, frame);
  const step = STEPS[event.key];
  if (step !== undefined) {
    let place = from;
    for (let i = 0; i < (event.shiftKey ? 10 : 1); i++) place = nextCell(place, step, props);
    setCross(place, true);
  } else if (event.key === "Enter" || event.key === " ") pick(from);
  else if (event.key === "+" || event.key === "=") {
    setView(zoomed(view, frame, ZOOM, ...pixelOf(...from, view, frame)));
  } else if (event.key === "-") {
    setView(zoomed(view, frame, 1 / ZOOM, ...pixelOf(...from, view, frame)));
  } else if (event.key === "Home") setView(viewOfAll(frame));
  else return;
  event.preventDefault();
}

/** The next place in a direction that shows another cell, or the edge of the picture. */
function nextCell(from: Place, [right, down]: Place, { grid, view, frame }: Props): Place {
  let [px, py] = pixelOf(...from, view, frame);
  const reach = dotReach(view, frame);
  const own = cellAt(grid, ...from, reach);
  for (;;) {
    const [x, y] = [px + right, py + down];
    if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) {
      return placeOf(px, py, view, frame);
    }
    [px, py] = [x, y];
    const place = placeOf(px, py, view, frame);
    const cell = cellAt(grid, ...place, reach);
    if (cell !== own && cell !== -1) return place;
  }
}

/** The buttons for zooming. */
export function ZoomButtons({ frame, view, setView }: Pick<Props, "frame" | "view" | "setView">) {
  const by = (factor: number) => () =>
    setView(zoomed(view, frame, factor, frame.width / 2, frame.height / 2));
  const all = viewOfAll(frame);
  return (
    <div class="look-map-buttons">
      <button type="button" aria-label={words.zoomIn} title={words.zoomIn} onClick={by(ZOOM)}>
        +
      </button>
      <button
        type="button"
        aria-label={words.zoomOut}
        title={words.zoomOut}
        disabled={within({ ...view, span: view.span * 2 }, frame).span <= view.span}
        onClick={by(1 / ZOOM)}
      >
        −
      </button>
      <button type="button" onClick={() => setView(all)}>
        {words.zoomAll}
      </button>
    </div>
  );
}
