/** Icons, drawn as lines on a grid of 24 units in the colour of the text. They stand beside or instead of a word, which names the control. */

const PATHS = {
  add: "M12 5v14M5 12h14",
  back: "M19 12H5m6-6-6 6 6 6",
  cart: "M3 4h2l2.5 11h10L20 7H6.2M9 20h.01M16.5 20h.01",
  chart: "M4 20V4m0 16h16M8 16l3.5-5 3 3L20 7",
  check: "M5 12.5 10 17l9-10",
  close: "M6 6l12 12M18 6 6 18",
  cloud: "M7 18a4 4 0 0 1-.5-7.97A6 6 0 0 1 18 9.5 4.3 4.3 0 0 1 17.5 18Z",
  code: "M9 7l-5 5 5 5m6-10 5 5-5 5",
  compact: "M4 7h16M4 12h16M4 17h16",
  comfortable: "M4 6h16M4 18h16",
  download: "M12 4v11m-5-4 5 5 5-5M5 20h14",
  exclude: "M5.6 5.6l12.8 12.8M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  fewer: "M6 15l6-6 6 6",
  filter:
    "M4 7h10m4 0h2M4 17h2m4 0h10M14 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0ZM6 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0Z",
  globe: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM3 12h18M12 3c3 3 3 15 0 18m0-18c-3 3-3 15 0 18",
  menu: "M4 6h16M4 12h16M4 18h16",
  more: "M6 9l6 6 6-6",
  next: "M9 6l6 6-6 6",
  pause: "M8 5v14M16 5v14",
  play: "M7 5v14l12-7Z",
  previous: "M15 6l-6 6 6 6",
  search: "M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0ZM15.5 15.5 21 21",
  swap: "M4 8h14l-4-4M20 16H6l4 4",
  time: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM12 7v5l3.5 2",
  user: "M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM4 20c1-4 4-6 8-6s7 2 8 6",
  warning: "M12 4 2.5 20h19ZM12 10v4.5m0 2.5h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ of }: { readonly of: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[of]} />
    </svg>
  );
}
