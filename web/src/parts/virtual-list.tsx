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
  /** The row that Tab leads to: it is in the page wherever the list is scrolled. */
  readonly tabStop: number;
}

/** Extra rows above and below, so that scrolling shows no gap and arrow keys find the next row. */
const OVERSCAN = 8;

/** A list of any length: only visible rows, and some around them, are in the page. */
export function VirtualList<T>({ items, rowHeight, height, keyOf, row, label, tabStop }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const shown = Math.min(height, items.length * rowHeight);
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(items.length, Math.ceil((top + shown) / rowHeight) + OVERSCAN);
  const inPage = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  if (tabStop < first) inPage.unshift(tabStop);
  if (tabStop >= last && tabStop < items.length) inPage.push(tabStop);
  // A shorter list may end above the old scroll position.
  useLayoutEffect(() => setTop(box.current?.scrollTop ?? 0), [items]);
  return (
    <div
      class="virtual-list"
      ref={box}
      role="group"
      aria-label={label}
      style={{ maxHeight: `${height}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul class="bare" style={{ height: `${items.length * rowHeight}px` }}>
        {inPage.map((index) => {
          const item = items[index] as T;
          return (
            <li
              key={keyOf(item)}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            >
              {row(item, index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
