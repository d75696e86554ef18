/** How fast the page is, as who opens it has it: held by tests with room for a busy machine, and measured by bench/page.ts. */
import type { Browser, Locator, Response } from "playwright-core";
import { PREFIX } from "../../../generated/prefix.js";

export interface FirstLoad {
  /** Bodies of all responses of the first view as they were transferred, compressed by gzip: the files of the page. */
  readonly files: number;
  /** The same of the service's answers. */
  readonly answers: number;
  /** Milliseconds from the address to a list of facets that can be chosen of, with the results beside it. */
  readonly interactive: number;
}

/** Opens the search for the first time. @param slower by which factor the processor is held back */
export async function firstLoad(
  browser: Browser,
  address: string,
  slower: number,
): Promise<FirstLoad> {
  // Browsers ask for better compressions as well: a proxy may not have them.
  const extraHTTPHeaders = { "Accept-Encoding": "gzip" };
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    extraHTTPHeaders,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
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
  // The first screen's numbers come after the list.
  await page.locator(".start-sentence").waitFor();
  await page.waitForLoadState("networkidle");
  const sizes = await Promise.all(
    responses.map(async (response) => {
      await response.finished();
      const { responseBodySize } = await response.request().sizes();
      return { url: response.url(), bytes: responseBodySize };
    }),
  );
  await context.close();
  const sum = (isAnswer: boolean): number =>
    sizes
      .filter(({ url }) => url.includes(`${PREFIX}/`) === isAnswer)
      .reduce((all, { bytes }) => all + bytes, 0);
  return { files: sum(false), answers: sum(true), interactive };
}

/**
 * Types into the filter of a facet.
 *
 * @returns milliseconds from each key to the picture that has its answer, and of a picture before it, in which nothing is typed
 */
export function typing(filter: Locator, texts: readonly string[]) {
  return filter.evaluate(async (input, words) => {
    const frame = async (): Promise<number> => {
      const begin = performance.now();
      await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done));
      return performance.now() - begin;
    };
    const [idle, typed]: [number[], number[]] = [[], []];
    for (const text of words) {
      idle.push(await frame());
      const begin = performance.now();
      (input as HTMLInputElement).value = text;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await frame();
      typed.push(performance.now() - begin);
    }
    return { idle, typed };
  }, texts);
}
