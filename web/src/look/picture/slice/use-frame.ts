import { useEffect, useMemo, useState } from "preact/hooks";
import type { Grid } from "../../draw/grid.js";
import { type Frame, heightFor, stretchOf } from "../../draw/view.js";

/** Largest share of the window's height. */
const MAX_HEIGHT_SHARE = 0.68;

/** The size of the picture: as wide as the element, as high as the data need. */
export function useFrame(element: { readonly current: HTMLElement | null }, grid: Grid): Frame {
  const [width, setWidth] = useState(() => Math.min(Math.max(innerWidth - 40, 240), 960));
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const found = Math.floor(entry?.contentRect.width ?? 0);
      if (found > 0) setWidth(found);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return useMemo(() => frameOf(grid, width, innerHeight * MAX_HEIGHT_SHARE), [grid, width]);
}

/** @param max maximum height in pixels */
function frameOf({ extent, isRound }: Grid, width: number, max: number): Frame {
  if (isRound) {
    const stretch = stretchOf(extent);
    return { width, height: heightFor(width, extent, stretch, max), stretch, isRound, extent };
  }
  // A matrix fills its frame, however narrow it is.
  const { west, east, south, north } = extent;
  const square = heightFor(width, extent, 1, max);
  const stretch = ((square / (north - south)) * (east - west)) / width;
  return { width, height: square, stretch, isRound, extent };
}
