/** What axe finds in a page that a browser shows. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

let script: Promise<string> | undefined;

/** @returns each kind of violation with the first element that has it. A page whose policy lets nothing run is gone past. */
export async function axeViolations(
  page: Page,
): Promise<(readonly [string, string | undefined])[]> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  script ??= readFile(path, "utf8");
  const found = await page.evaluate(
    async (code) => {
      // The one rule of WCAG 2.2 that axe leaves out unless it is asked for.
      const rules = "{ rules: { 'target-size': { enabled: true } } }";
      const run = new Function(`${code}; return axe.run(document, ${rules})`);
      return (await run()) as { violations: { id: string; nodes: { html: string }[] }[] };
    },
    await script,
  );
  return found.violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}
