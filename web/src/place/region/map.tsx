/** A world map to draw a box on, by dragging (also across its edge) or by keys. */
import { useId, useRef } from "preact/hooks";
import type { NamedRegion } from "../../../../src/domain/extent/named-regions.js";
import { words } from "../../words/place.js";
import { type Box, boxBetween, boxWords, moved, onMap, resized } from "./box.js";
import { boxAfterDrag, type Drag, dragAt, type MapPoint } from "./drag.js";
import { useLandPath } from "./land.js";

export type Centre = 0 | 180;

interface Props {
  readonly box: Box | undefined;
  /** Boxes of the files found. */
  readonly found: readonly Box[];
  /** A named region to outline. */
  readonly outlined: NamedRegion | undefined;
  readonly centre: Centre;
  readonly show: (box: Box | undefined) => void;
  readonly move: (box: Box | undefined) => void;
  readonly settle: (box: Box | undefined) => void;
  /** Shows the applied box again. */
  readonly drop: () => void;
}

export function WorldMap({ box, found, outlined, centre, show, move, settle, drop }: Props) {
  const left = centre - 180;
  const svg = useRef<SVGSVGElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const help = useId();
  const land = useLandPath(centre);
  const spotOf = (event: PointerEvent): MapPoint => {
    const frame = svg.current?.getBoundingClientRect();
    const [width, height] = [frame?.width || 1, frame?.height || 1];
    const [x, y] = [event.clientX - (frame?.left ?? 0), event.clientY - (frame?.top ?? 0)];
    return {
      longitude: left + (360 * x) / width,
      latitude: Math.min(90, Math.max(-90, 90 - (180 * y) / height)),
      perPixel: 360 / width,
    };
  };
  const drawn = (event: PointerEvent): Box | undefined =>
    drag.current && boxAfterDrag(drag.current, spotOf(event));
  const cancel = (): void => {
    drag.current = undefined;
    drop();
  };
  const release = (event: PointerEvent): void => {
    const next = drawn(event);
    cancel();
    if (next !== undefined) settle(next);
  };
  return (
    <div class="map-frame">
      <svg
        ref={svg}
        class="map"
        viewBox="0 0 360 180"
        role="application"
        tabindex={0}
        aria-roledescription={words.map}
        aria-label={`${words.map}. ${box === undefined ? words.noBox : boxWords(box)}`}
        aria-describedby={help}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = dragAt(spotOf(event), box, left);
        }}
        onPointerMove={(event) => {
          const next = drawn(event);
          if (next !== undefined) show(next);
        }}
        onPointerUp={release}
        onPointerCancel={cancel}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          const next = boxAfterKey(event, box, centre);
          const cleared = isClearing(event.key) && box !== undefined;
          if (next === undefined && !cleared) return;
          event.preventDefault();
          move(next);
        }}
      >
        <path class="map-land" d={land} />
        <path class="map-grid" d="M0 90H360M90 0V180M180 0V180M270 0V180" />
        {found.map((one) => (
          <BoxShape key={boxWords(one)} class="map-found" box={one} left={left} />
        ))}
        {outlined && <path class="map-named" d={outlinePath(outlined, left)} />}
        {box && <BoxShape class="map-box" box={box} left={left} />}
        {box && <path class="map-grips" d={gripsPath(box, left)} />}
      </svg>
      <small id={help}>{words.mapHelp}</small>
    </div>
  );
}

/** A box, in two pieces if it crosses the edge of the map. */
export function BoxShape(shape: { class: string; box: Box; left: number }) {
  const { south, north } = shape.box;
  return (
    <>
      {onMap(shape.box, shape.left).map(([west, east]) => (
        <rect
          key={west}
          class={shape.class}
          x={west - shape.left}
          y={90 - north}
          width={east - west}
          height={north - south}
        />
      ))}
    </>
  );
}

/** Handles at the corners and in the middle: lines of length zero with round caps. */
function gripsPath(box: Box, left: number): string {
  return gripsOf(box)
    .map(({ longitude, latitude }) => {
      const x = (((longitude - left) % 360) + 360) % 360;
      return `M${x} ${90 - latitude}h0`;
    })
    .join("");
}

const gripsOf = ({ west, east, south, north }: Box) => [
  { longitude: west, latitude: south },
  { longitude: west, latitude: north },
  { longitude: east, latitude: south },
  { longitude: east, latitude: north },
  { longitude: (west + east) / 2, latitude: (south + north) / 2 },
];

/** Outlines, and again one circle further: the map's frame clips them. */
function outlinePath({ outlines }: NamedRegion, left: number): string {
  return [0, 360]
    .flatMap((turn) =>
      outlines.map((outline) => {
        const points = outline.map(([x, y]) => `${x + turn - left} ${90 - y}`);
        return `M${points.join("L")}Z`;
      }),
    )
    .join("");
}

/** Degrees. */
const STEP = 5;

const ARROWS: Readonly<Record<string, readonly [eastwards: number, northwards: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

const isClearing = (key: string): boolean => key === "Delete" || key === "Backspace";

/**
 * @param centre the longitude in the middle of the map, where the first box is drawn
 * @returns undefined for other keys
 */
function boxAfterKey(
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  box: Box | undefined,
  centre: number,
): Box | undefined {
  const arrow = ARROWS[key];
  if (box === undefined) {
    const draws = arrow !== undefined || key === "Enter" || key === " ";
    return draws ? boxBetween([centre - 30, -20], [centre + 30, 20]) : undefined;
  }
  if (arrow === undefined) return undefined;
  const [eastwards, northwards] = arrow;
  if (!shiftKey) return moved(box, eastwards, northwards);
  return eastwards === 0 ? resized(box, "north", northwards) : resized(box, "east", eastwards);
}
