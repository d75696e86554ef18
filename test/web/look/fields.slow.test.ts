/** Every field of the page keeps what is typed, and the focus, when its answer arrives. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { focused } from "../../support/page/hands.js";
import { useBrowsing } from "../../support/page/page.js";
import { signInOn } from "../../support/page/page-sign-in.js";
import { useService, useUser } from "../../support/service/use-service.js";

const service = useService({ documents: "sample" });
const name = useUser(service);
const browsing = useBrowsing(service);

const underWay = new WeakMap<Page, Set<unknown>>();

/** Counts the requests of a page from here on. */
function watch(page: Page): void {
  const asked = new Set<unknown>();
  underWay.set(page, asked);
  page.on("request", (request) => asked.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(end as "requestfinished", (request) => asked.delete(request));
  }
}

/** Everything that was asked for has been answered and drawn. */
async function settled(page: Page): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await page.waitForTimeout(25);
    quiet = underWay.get(page)?.size === 0 ? quiet + 1 : 0;
  }
}

/** Fields to type into, and lists to choose from. */
const TEXTS =
  'main input:not([type="file"], [type="checkbox"], [type="radio"], [readonly]), main textarea';

/** Types into a field, or chooses, applies it, and waits for all answers. @returns what has the focus instead */
async function tryField(page: Page, field: Locator): Promise<string | undefined> {
  if (!(await field.isVisible()) || !(await field.isEnabled())) return undefined;
  const kind = await field.evaluate((element) => (element as HTMLInputElement).type);
  await field.focus();
  if (kind === "select-one") await page.keyboard.press("ArrowDown");
  else await page.keyboard.type(kind === "number" ? "1" : "19");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await settled(page);
  const now = await focused(page);
  if (kind === "select-one") return now.startsWith("BODY") ? now : undefined;
  const isSame = await field.evaluate((element) => element === document.activeElement);
  return isSame ? undefined : now;
}

it.each([
  "?flavour=cmip6&time=1850+to+2014&bbox=-10,30,35,70",
  "coverage?flavour=cmip6&mip_era=cmip6",
  "complete?flavour=cmip6&group_by=source_id,member_id&need=variable_id:tas;from=1990",
  "userdata",
  "flavours",
  "account",
])(
  "every field of %s is the same, and has the focus, once a typed text is answered",
  {
    timeout: 60_000,
  },
  async (path) => {
    const { page, context } = await browsing.openPage(path);
    await signInOn(page, name);
    watch(page);
    if (path === "flavours")
      await page.getByRole("button", { name: "Create a vocabulary" }).click();
    await settled(page);
    for (const closed of await page.locator("main details:not([open]) > summary").all()) {
      if (await closed.isVisible()) await closed.click();
    }
    await settled(page);
    // Marked from the start: one that is mounted anew has no mark.
    const texts = await marked(page, TEXTS, "text");
    const lists = await marked(page, "main select", "list");
    expect(texts.length + lists.length).toBeGreaterThan(1);
    const lost: string[] = [];
    for (const field of texts) {
      const wrong = (await field.count()) === 0 ? "gone" : await tryField(page, field);
      if (wrong !== undefined) lost.push(`${field}: ${wrong}`);
    }
    // A choice may change the form.
    for (const list of lists) {
      const wrong = (await list.count()) === 0 ? undefined : await tryField(page, list);
      if (wrong !== undefined) lost.push(`${list}: ${wrong}`);
    }
    expect(lost).toEqual([]);
    await context.close();
  },
);

/** At most this many of a kind are tried in a view. */
const MOST = 12;

async function marked(page: Page, selector: string, mark: string): Promise<Locator[]> {
  const count = await page.locator(selector).evaluateAll((elements, of) => {
    for (const [at, element] of elements.entries()) element.setAttribute(`data-${of}`, `${at}`);
    return elements.length;
  }, mark);
  return Array.from({ length: Math.min(count, MOST) }, (_, at) =>
    page.locator(`[data-${mark}="${at}"]`),
  );
}
