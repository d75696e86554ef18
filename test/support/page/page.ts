/** The page for people, in a real browser, from a real service. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { isHeld } from "../run/bounds.js";
import type { TestService } from "../service/service.js";
import { axeViolations } from "./axe.js";
import { closePages, findChromium, sharedBrowser } from "./browser.js";

export interface PageOptions {
  /** Pixels; a laptop has 1280, a phone 390, and 320 is what is promised (WCAG 1.4.10). */
  readonly width?: number;
  readonly height?: number;
  readonly colour?: "light" | "dark";
  readonly reducedMotion?: "reduce" | "no-preference";
  readonly touch?: boolean;
  /** An origin that it may go to, too: that of an outside provider. */
  readonly elsewhere?: string;
}

/** A page of a person of their own: nothing is kept of any other. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens another address of the page. @param path such as `coverage?rows=model` */
  go(path: string): Promise<void>;
  /** Ends it. @throws where something went wrong on the page, or it asked for anything elsewhere */
  close(): Promise<void>;
}

/** The address as the page has it: the browser reports a change only after the key or click that made it. */
export const addressOf = async (page: Page): Promise<URL> =>
  new URL(await page.evaluate(() => location.href));

export interface Browsing {
  /** @param path below the service's address, without a slash before it */
  openPage(path: string, options?: PageOptions): Promise<OpenPage>;
}

/** After this time, what is waited for on a page does not come. */
const HANGS_MS = 120_000;

/** All but the live region, which only screen readers have. */
const SEEN = ":not(.visually-hidden[role=status])";

/** What serves the page: a test's service, or what stands before it. */
type Served = Pick<TestService, "address">;

/** Which errors a browser writes to its console by itself: a status that the page handles. */
const TOLD_BY_BROWSER = /^Failed to load resource: the server responded with a status of 4/;

/**
 * Gives the tests of a file, or of a `describe`, a browser. Where there is none to be had, which is never so in CI, they are
 * reported as skipped.
 *
 * @param service is started by hooks before, and serves the page as `npm run build` has made it last
 * @param ready what is done in the browser before the first test
 */
export function useBrowsing(
  service: Served,
  ready?: (browsing: Browsing) => Promise<void>,
): Browsing {
  let browser: Browser | undefined;
  const browsing: Browsing = {
    openPage(path, options) {
      if (browser === undefined) throw new Error("The browser is not started yet.");
      return openPage(browser, service, path, options);
    },
  };
  beforeAll(async () => {
    const program = findChromium();
    if (program === undefined) return;
    browser = await sharedBrowser(program);
    await ready?.(browsing);
  });
  beforeEach(({ skip }) => skip(browser === undefined, "there is no Chromium"));
  // Pages that a failed test has left open keep connections to the service.
  afterAll(closePages);
  return browsing;
}

async function openPage(
  browser: Browser,
  service: Served,
  path: string,
  options: PageOptions = {},
): Promise<OpenPage> {
  const { width = 1280, height = 800, colour = "light", reducedMotion = "reduce" } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colour,
    reducedMotion,
    hasTouch: options.touch ?? false,
  });
  context.setDefaultTimeout(HANGS_MS);
  const page = await context.newPage();
  // A text is looked for where it is seen: the live region repeats some of them a moment later, and then there would be two.
  const byText = page.getByText.bind(page);
  page.getByText = (...wanted) => byText(...wanted).and(page.locator(SEEN));
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !TOLD_BY_BROWSER.test(message.text())) {
      wrong.push(message.text());
    }
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  context.on("request", (request) => {
    const address = request.url();
    const origins = [service.address, options.elsewhere ?? service.address];
    if (/^(data|blob):/.test(address)) return;
    if (!origins.some((origin) => address.startsWith(`${origin}/`))) wrong.push(address);
  });
  const go = async (to: string): Promise<void> => {
    await page.goto(`${service.address}/${to}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  await go(path);
  const close = async (): Promise<void> => {
    await context.close();
    expect(wrong).toEqual([]);
  };
  return { page, context, go, close };
}

/**
 * The windows in which each view has to be without a fault, light and dark: WCAG 2.2 A and AA, as far as axe can tell. `npm test` has the
 * first two, `npm run test:slow` has all of them.
 */
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
  // A laptop of 1280 x 800 at 200%.
  { width: 640, height: 400 },
].slice(0, isHeld ? 3 : 2);

/**
 * Holds a view against axe in each of the windows, and against the width of the window, beyond which nothing may reach.
 *
 * @param ready waits until what is to be judged is there
 */
export async function expectAccessible(
  browsing: Browsing,
  path: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  for (const window of WINDOWS) {
    const { page, close } = await browsing.openPage(path, window);
    await ready(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const which = `${path} ${window.width} ${colorScheme}`;
      const found = await axeViolations(page, colorScheme === "dark");
      expect([which, found]).toEqual([which, []]);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([path, window, Math.max(0, wide)]).toEqual([path, window, 0]);
    await close();
  }
}
