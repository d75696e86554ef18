/** A track of years with two handles, moved by dragging or by keys. */
import type { TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";
import { shortNumber } from "../../service/numbers.js";
import { words } from "../../words/place.js";
import type { Histogram } from "./histogram.js";
import { type Years, yearText } from "./period-text.js";

interface Props {
  readonly first: number;
  readonly last: number;
  readonly histogram: Histogram | undefined;
  readonly years: Years;
  /** Applied when the drag ends. */
  readonly show: (years: Years) => void;
  /** One of many steps. */
  readonly move: (years: Years) => void;
  readonly settle: (years: Years) => void;
  /** Shows the applied years again. */
  readonly drop: () => void;
}

type Handle = "first" | "last";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Moves one end of the period, which pushes the other; at the edge of the track an end is open. */
function withEnd(
  { first, last }: Pick<Props, "first" | "last">,
  years: Years,
  handle: Handle,
  year: number,
): Years {
  const other = handle === "first" ? "last" : "first";
  const isOpen = handle === "first" ? year <= first : year >= last;
  const { [other]: kept } = years;
  const isPast = kept !== undefined && (handle === "first" ? year > kept : year < kept);
  return {
    ...(kept !== undefined && { [other]: isPast ? year : kept }),
    ...(!isOpen && { [handle]: year }),
  };
}

export function Timeline({ first, last, histogram, years, show, move, settle, drop }: Props) {
  const track = useRef<HTMLDivElement>(null);
  const dragged = useRef<Handle | undefined>(undefined);
  /** Pixels between a handle's year and the grab point, so that it does not jump. */
  const beside = useRef(0);
  const span = Math.max(1, last - first);
  const at = { first: years.first ?? first, last: years.last ?? last };
  const percent = (year: number): number =>
    Math.min(100, Math.max(0, (100 * (year - first)) / span));
  const yearAt = (event: PointerEvent): number => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {};
    const share = Math.min(1, Math.max(0, (event.clientX - beside.current - left) / width));
    return Math.round(first + share * span);
  };
  const take = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    const { handle: held } = (event.target as HTMLElement).dataset;
    const { left = 0, right = 0 } = (event.target as HTMLElement).getBoundingClientRect();
    beside.current = held === undefined ? 0 : event.clientX - (held === "first" ? right : left);
    const year = yearAt(event);
    const isNearFirst = Math.abs(year - at.first) <= Math.abs(year - at.last);
    const nearest = isNearFirst ? "first" : "last";
    dragged.current = held === "first" || held === "last" ? held : nearest;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget
      .querySelector<HTMLElement>(`[data-handle="${dragged.current}"]`)
      ?.focus({ preventScroll: true });
    event.preventDefault();
    show(withEnd({ first, last }, years, dragged.current, year));
  };
  const drag = (event: PointerEvent): void => {
    if (dragged.current !== undefined) {
      show(withEnd({ first, last }, years, dragged.current, yearAt(event)));
    }
  };
  const release = (event: PointerEvent): void => {
    if (dragged.current === undefined) return;
    settle(withEnd({ first, last }, years, dragged.current, yearAt(event)));
    dragged.current = undefined;
  };
  // The browser took the drag over to scroll: the event has no place.
  const cancel = (): void => {
    dragged.current = undefined;
    drop();
  };
  const press = (handle: Handle) => (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const edge = event.key === "Home" ? first : event.key === "End" ? last : undefined;
    if (step === undefined && edge === undefined) return;
    event.preventDefault();
    const year = edge ?? Math.min(last, Math.max(first, at[handle] + (step ?? 0)));
    move(withEnd({ first, last }, years, handle, year));
  };
  const slider = (handle: Handle, label: string) => (
    <div
      class="timeline-handle"
      role="slider"
      tabIndex={0}
      data-handle={handle}
      aria-label={label}
      aria-valuemin={handle === "first" ? first : at.first}
      aria-valuemax={handle === "first" ? at.last : last}
      aria-valuenow={at[handle]}
      aria-valuetext={years[handle] === undefined ? words.open : yearText(at[handle])}
      style={{ left: `${percent(at[handle])}%` }}
      onKeyDown={press(handle)}
    />
  );
  return (
    <div class="timeline">
      <div
        class="timeline-track"
        ref={track}
        role="group"
        aria-label={words.timeline(first, last)}
        onPointerDown={take}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={cancel}
      >
        {histogram && <Bars histogram={histogram} first={first} last={last} />}
        <div
          class="timeline-chosen"
          style={{ left: `${percent(at.first)}%`, right: `${100 - percent(at.last)}%` }}
        />
        {slider("first", words.fromHandle)}
        {slider("last", words.toHandle)}
      </div>
      <div class="quiet timeline-ends" aria-hidden="true">
        <span>{yearText(first)}</span>
        <span>{yearText(last)}</span>
      </div>
    </div>
  );
}

/** Bars behind the track, as high as their number of files. */
function Bars({ histogram, first, last }: { histogram: Histogram; first: number; last: number }) {
  const { bars, max } = histogram;
  const width = last - first + 1;
  return (
    <svg
      class="timeline-bars"
      viewBox={`${first} 0 ${width} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.histogram(histogram.first, histogram.last, shortNumber(max))}
    >
      {bars.map((bar) => {
        const height = bar.files === 0 ? 0 : Math.max(4, (100 * bar.files) / Math.max(1, max));
        const wide = bar.last - bar.first + 1;
        return <rect key={bar.first} x={bar.first} y={100 - height} width={wide} height={height} />;
      })}
    </svg>
  );
}
