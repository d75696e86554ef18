import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props<T> {
  readonly items: readonly T[];
  /** Pixels. All rows have one height, so the visible range is a division. */
  readonly rowHeight: number;
  /** Maximum height in pixels. */
  readonly height: number;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T, index: number) => ComponentChildren;
  /** Label for screen readers. */
  readonly label: string;
}

/** Extra rows above and below, so that scrolling shows no gap and Tab finds the next row. */
const OVERSCAN = 8;

/** A list of any length: only visible rows, and some around them, are in the page. */
export function VirtualList<T>({ items, rowHeight, height, keyOf, row, label }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const shown = Math.min(height, items.length * rowHeight);
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(items.length, Math.ceil((top + shown) / rowHeight) + OVERSCAN);
  // A shorter list may end above the old scroll position.
  useLayoutEffect(() => setTop(box.current?.scrollTop ?? 0), [items]);
  return (
    <div
      class="virtual-list"
      ref={box}
      tabIndex={items.length * rowHeight > height ? 0 : undefined}
      role="group"
      aria-label={label}
      style={{ maxHeight: `${height}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {row(item, first + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
