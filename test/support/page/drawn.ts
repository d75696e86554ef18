/** What a first look has drawn, as a browser shows it. */
import type { Page } from "playwright-core";
import type { Shown } from "../../../web/src/look/picture/picture.js";

/** Waits until a slice is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const canvas = document.querySelector(".look-map canvas");
    return (
      canvas !== null &&
      "shownAt" in canvas &&
      document.querySelector(".look-map-busy, .look-map-coarse") === null
    );
  });
}

export interface Pixel extends Omit<Shown, "value"> {
  readonly value: number | null;
  readonly drawn: readonly number[];
}

/** What is seen at places of the picture, and what the page says of them. @param shares of width and height */
export function pixels(
  page: Page,
  shares: readonly (readonly [number, number])[],
): Promise<Pixel[]> {
  return page.evaluate((places) => {
    const canvas = document.querySelector(".look-map canvas") as HTMLCanvasElement & {
      shownAt(px: number, py: number): Shown;
    };
    const { width, height } = canvas;
    const data = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
    return places.map(([u, v]) => {
      const [x, y] = [Math.floor(u * width), Math.floor(v * height)];
      const scale = canvas.clientWidth / width;
      const shown = canvas.shownAt((x + 0.5) * scale, (y + 0.5) * scale);
      const at = 4 * (y * width + x);
      return {
        ...shown,
        value: Number.isNaN(shown.value) ? null : shown.value,
        drawn: [...data.slice(at, at + 4)],
      };
    });
  }, shares);
}
