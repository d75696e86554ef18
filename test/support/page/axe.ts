/** What axe finds in a page that a browser shows. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

let script: Promise<string> | undefined;

/** The rules whose outcome follows from colours; between light and dark nothing else of a view changes. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * @param ofColours to try the rules of colours alone, where all others were tried on the same view
 * @returns each kind of violation with the first element that has it. A page whose policy lets nothing run is gone past.
 */
export async function axeViolations(
  page: Page,
  ofColours = false,
): Promise<(readonly [string, string | undefined])[]> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  script ??= readFile(path, "utf8");
  const found = await page.evaluate(
    async ([code, only]) => {
      const options = {
        // The one rule of WCAG 2.2 that axe leaves out unless it is asked for.
        ...(only.length > 0 ? { runOnly: only } : { rules: { "target-size": { enabled: true } } }),
        resultTypes: ["violations"],
        selectors: false,
      };
      type Axe = { run(on: Document, how: typeof options): Promise<unknown> };
      const here = globalThis as { axe?: Axe };
      if (here.axe === undefined) new Function(code)();
      return (await here.axe?.run(document, options)) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
    },
    [await script, ofColours ? OF_COLOURS : []] as const,
  );
  return found.violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}
