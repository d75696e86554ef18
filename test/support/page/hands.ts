/** Ways to use a page: by pointer, by keyboard alone, and by what things are called, as assistive technology does. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Every target is looked for by role and name; what differs is how it is acted on. */
export interface Hands {
  readonly by: "pointer" | "keyboard" | "role and name";
  /** Presses a button, follows a link, ticks a box, opens what is folded. */
  press(target: Locator): Promise<void>;
  /** Puts a text into a field, in place of what is there. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a list by its text. */
  choose(target: Locator, option: string): Promise<void>;
}

/** The tag of the element that has the focus, with its label or text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : "";
    return `${element?.tagName} ${label || (element?.textContent ?? "")}`.trim();
  });

/** More steps than any view has: a search with 50 datasets has some 400, most of them in its results. */
const MAX_TABS = 500;

/** More rows than a list of facet values has in the sample catalogue. */
const MAX_ROWS = 100;

/** By arrow keys from the row of a list that has the focus to another row, where there is such a list. */
async function walkTo(page: Page, target: Locator): Promise<boolean> {
  const step = () =>
    target.evaluate((element) => {
      const { activeElement: active } = document;
      if (!active || active.tagName !== element.tagName) return undefined;
      const list = element.closest("ul");
      if (!list || active.closest("ul") !== list) return undefined;
      if (active === element) return "here" as const;
      const isBelow = active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
      return isBelow ? ("ArrowDown" as const) : ("ArrowUp" as const);
    });
  for (let count = 0; count < MAX_ROWS; count++) {
    const next = await step();
    if (next === undefined || next === "here") return next === "here";
    await page.keyboard.press(next);
  }
  return false;
}

/**
 * Goes there by Tab, in a list of facet values by arrow keys, from wherever the focus is: what cannot be reached so, or shows
 * no focus, is nothing for a keyboard.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isByArrows = await target.evaluate((element) => (element as HTMLElement).tabIndex < 0);
  const here = () =>
    isByArrows
      ? walkTo(page, target)
      : target.evaluate((element) => element === document.activeElement);
  for (let count = 0; !(await here()); count++) {
    if (count >= MAX_TABS) throw new Error(`Tab does not lead to ${target}`);
    await page.keyboard.press("Tab");
  }
  const seen = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const outlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    return outlined || boxShadow !== "none";
  });
  expect([String(target), seen]).toEqual([String(target), true]);
}

/** Where a person would put the pointer; not smaller than WCAG 2.5.8 has it. */
async function point(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${target} is not to be seen`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 2 });
  await page.mouse.down();
  await page.mouse.up();
}

const tagOf = (target: Locator) => target.evaluate((element) => element.tagName);

/** The three of them, for one page. */
export function handsOf(page: Page): Record<"pointer" | "keyboard" | "names", Hands> {
  const { keyboard } = page;
  const retype = async (text: string): Promise<void> => {
    await keyboard.press("ControlOrMeta+a");
    await keyboard.press("Delete");
    await keyboard.type(text);
  };
  /**
   * Keys more than a second apart begin a new text each, and a view that is shown late takes the focus: on a busy machine, the option
   * may have to be typed again.
   */
  const typeOption = (target: Locator, option: string, reach: () => Promise<void>): Promise<void> =>
    expect
      .poll(
        async () => {
          await reach();
          await keyboard.type(option);
          return target.evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.text);
        },
        { interval: 1500 },
      )
      .toBe(option);
  return {
    pointer: {
      by: "pointer",
      press: (target) => point(page, target),
      async write(target, text) {
        await point(page, target);
        await retype(text);
      },
      async choose(target, option) {
        // A list that is folded out is the system's, which a page's pointer does not reach.
        await typeOption(target, option, () => target.focus());
      },
    },
    keyboard: {
      by: "keyboard",
      async press(target) {
        await tabTo(page, target);
        const type = await target.getAttribute("type");
        await keyboard.press(type === "checkbox" || type === "radio" ? "Space" : "Enter");
      },
      async write(target, text) {
        await tabTo(page, target);
        await retype(text);
      },
      async choose(target, option) {
        await typeOption(target, option, () => tabTo(page, target));
      },
    },
    names: {
      by: "role and name",
      press: (target) => target.click(),
      write: (target, text) => target.fill(text),
      async choose(target, option) {
        expect(await tagOf(target)).toBe("SELECT");
        await target.selectOption({ label: option });
      },
    },
  };
}
