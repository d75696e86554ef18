/** How fast the page is, as who opens it has it: held by tests with room for a busy machine, and measured by bench/page.ts. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { packagePath } from "../../src/platform/package-root.js";

export interface FirstLoad {
  /** Of all that was fetched of the page until it could be used, packed by gzip. */
  readonly bytes: number;
  /** Milliseconds from the address to a list of facets that can be chosen of, with the results beside it. */
  readonly interactive: number;
}

/** Opens the search for the first time. @param slower by which factor the processor is held back */
export async function firstLoad(
  browser: Browser,
  address: string,
  slower: number,
): Promise<FirstLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const names = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes("/assets/")) names.add(basename(pathname));
  });
  await page.goto(address, { waitUntil: "commit" });
  // Within the page, as each question from here takes longer than an answer in there.
  const interactive = await page.evaluate(async () => {
    for (;;) {
      const isThere =
        document.querySelector(".facet input[type=checkbox]") !== null &&
        document.querySelector(".dataset") !== null;
      if (isThere) return performance.now();
      if (performance.now() > 30_000) throw new Error("nothing within 30 s");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  await context.close();
  const files = [...names].map((name) => packagePath("dist", "page", "assets", `${name}.gz`));
  return { bytes: files.reduce((sum, file) => sum + statSync(file).size, 0), interactive };
}

/**
 * Types into the filter of a facet.
 *
 * @returns milliseconds from each key to the picture that has its answer
 */
export function typing(filter: Locator, texts: readonly string[]): Promise<number[]> {
  return filter.evaluate(async (input, words) => {
    const taken: number[] = [];
    for (const text of words) {
      const begin = performance.now();
      (input as HTMLInputElement).value = text;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done));
      taken.push(performance.now() - begin);
    }
    return taken;
  }, texts);
}
