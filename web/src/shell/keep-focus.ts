/**
 * Keeps the keyboard's place in the page.
 *
 * An element that goes away or is disabled takes the focus with it: the browser then leaves it on the body, where keys
 * do nothing and a screen reader starts again at the top. The nearest control takes it instead.
 */

/** An element around the focused one, and which of its children held it. */
interface Step {
  readonly around: Element;
  readonly at: number;
}

const CONTROLS =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

/** Called once. */
export function keepFocus(): void {
  let focused: HTMLElement | undefined;
  let steps: readonly Step[] = [];
  document.addEventListener("focusin", ({ target }) => {
    focused = target as HTMLElement;
    steps = stepsTo(focused);
  });
  document.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null) return;
    // A click on nothing, or the element goes: only after this step does the document tell which.
    queueMicrotask(() => {
      const isLeft = document.activeElement === document.body && document.hasFocus();
      if (isLeft && focused !== undefined && isUsable(focused)) focused = undefined;
    });
  });
  new MutationObserver(() => {
    if (focused === undefined || isUsable(focused)) return;
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement === focused;
    focused = undefined;
    if (isLost) nearest(steps)?.focus({ preventScroll: true });
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(":disabled");

function stepsTo(element: Element): Step[] {
  const steps: Step[] = [];
  for (let inner = element; inner !== document.body && inner.parentElement !== null; ) {
    const around = inner.parentElement;
    steps.push({ around, at: Array.prototype.indexOf.call(around.children, inner) });
    inner = around;
  }
  return steps;
}

/** The first control after the lost place, or the last one before it, in the closest surroundings that have one. */
function nearest(steps: readonly Step[]): HTMLElement | undefined {
  for (const { around, at } of steps) {
    if (!around.isConnected || around === document.body) continue;
    const children = [...around.children];
    const found =
      children.slice(at).flatMap(controlsIn)[0] ?? children.slice(0, at).flatMap(controlsIn).at(-1);
    if (found !== undefined) return found;
    if (around.matches("main")) return around as HTMLElement;
  }
  return document.querySelector("main") ?? undefined;
}

function controlsIn(element: Element): HTMLElement[] {
  const all = [element, ...element.querySelectorAll(CONTROLS)] as HTMLElement[];
  return all.filter(
    (one) =>
      one.matches(CONTROLS) &&
      one.tabIndex >= 0 &&
      one.getClientRects().length > 0 &&
      one.closest("dialog:not([open])") === null,
  );
}
