/** Requests of a page that wait until a test lets them go, so that it can act in between. */
import type { Page } from "playwright-core";

export interface HeldRequests {
  /** Resolves when one is held. */
  readonly arrived: Promise<void>;
  /** Lets them go, and holds no more. */
  release(): Promise<void>;
}

/** @param path a pattern of Playwright for addresses */
export async function holdRequests(
  page: Page,
  method: string,
  path: string,
): Promise<HeldRequests> {
  let arrive = (): void => {};
  let open = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      arrive();
      await opened;
    }
    await route.continue();
  });
  return {
    arrived,
    release: async () => {
      open();
      await page.unrouteAll({ behavior: "wait" });
    },
  };
}
