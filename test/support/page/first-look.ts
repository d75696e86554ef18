/** How long a first look takes, from the click to the picture. */
import type { Page } from "playwright-core";
import { runPython } from "../programs/python.js";

/** A month each in 12 chunks of 192 x 384 values, as many models have them. */
const SCRIPT = `
import sys
import netCDF4
import numpy as np
with netCDF4.Dataset(sys.argv[1], "w") as file:
    for name, values, units in (
        ("time", np.arange(12) * 30.0 + 15, "days since 1850-01-01"),
        ("lat", np.linspace(-89.28, 89.28, 192), "degrees_north"),
        ("lon", np.arange(384) * 0.9375, "degrees_east"),
    ):
        file.createDimension(name, len(values))
        made = file.createVariable(name, "f8", (name,))
        made.units = units
        made[:] = values
    tas = file.createVariable("tas", "f4", ("time", "lat", "lon"), zlib=True, chunksizes=(1, 192, 384))
    tas.units = "K"
    warm = 250 + 50 * np.cos(np.radians(np.linspace(-89.28, 89.28, 192)))
    tas[:] = warm[None, :, None] + np.random.default_rng(1).normal(0, 5, (12, 192, 384))
`;

/** Needs Python (needs.ts). */
export const writeSlices = (path: string): Promise<string> => runPython(["-c", SCRIPT, path]);

/**
 * Clicks on a link to a first look, and waits until a picture is drawn that was not there before.
 *
 * @param address relative to the page's
 * @returns milliseconds
 */
export function firstLook(page: Page, address: string): Promise<number> {
  return page.evaluate(async (to) => {
    const link = document.createElement("a");
    link.href = to;
    document.body.append(link);
    const former = document.querySelector(".look-map canvas");
    const start = performance.now();
    link.click();
    // No named function in here: what runs TypeScript adds names to them that a page does not know.
    for (;;) {
      const canvas = document.querySelector(".look-map canvas");
      if (canvas !== null && canvas !== former && "shownAt" in canvas) break;
      if (performance.now() - start > 20_000) throw new Error("no picture within 20 s");
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    // What was drawn is on the screen with the next frame.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const took = performance.now() - start;
    link.remove();
    return took;
  }, address);
}
