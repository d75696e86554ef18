/** Requests of a page, or their answers, that wait until a test lets them go, so that it can act in between. */
import type { Page } from "playwright-core";

export interface HeldRequests {
  /** Resolves when one is held. */
  readonly arrived: Promise<void>;
  /** Lets them go, and holds no more. */
  release(): Promise<void>;
}

/**
 * @param path a pattern of Playwright for addresses
 * @param part what is held: the request, or the service's answer to it
 */
export async function holdRequests(
  page: Page,
  method: string,
  path: string,
  part: "request" | "answer" = "request",
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
    if (route.request().method() !== method) return route.continue();
    const response = part === "answer" ? await route.fetch() : undefined;
    arrive();
    await opened;
    return response ? route.fulfill({ response }) : route.continue();
  });
  return {
    arrived,
    release: async () => {
      open();
      await page.unrouteAll({ behavior: "wait" });
    },
  };
}
