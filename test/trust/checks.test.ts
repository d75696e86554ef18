/** The table of checks names tests that there are, and the page says what the table does. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packagePath } from "../../src/platform/package-root.js";
import { CHECKS } from "./checks.js";
import { MEASURED, RELIABILITY, reliability } from "./reliability.js";
import { isOf } from "./titles.js";

describe("the table of checks", () => {
  it("has 49, each with a number of its own", () => {
    const numbers = CHECKS.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 49 }, (_, i) => i + 1));
  });

  it.each(CHECKS)("$number is tried by tests that there are", ({ tests }) => {
    expect(Object.keys(tests).length).toBeGreaterThan(0);
    for (const [file, titles] of Object.entries(tests)) {
      expect(existsSync(packagePath(file)), file).toBe(true);
      const source = readFileSync(packagePath(file), "utf8");
      expect(titles.length).toBeGreaterThan(0);
      for (const title of titles) {
        const written = ['"', "`"].some((quote) => source.includes(`${quote}${title}${quote}`));
        expect(written, `${file}: ${title}`).toBe(true);
      }
    }
  });

  it("knows its tests by their titles, whatever values are in them", () => {
    const tests = { "a.test.ts": ["of %i bytes", "$name is read"] };
    const check = { number: 1, subject: "files", holds: "", goal: "", tests } as const;
    const outcome = { file: "a.test.ts", ancestorTitles: [], status: "passed", meta: {} };
    const titles = ["of 12 bytes", "x.nc is read", "is read", "of bytes"];
    expect(titles.map((title) => isOf(check, { ...outcome, title }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isOf(check, { ...outcome, file: "b.test.ts", title: "of 12 bytes" })).toBe(false);
  });
});

describe("docs/reliability.md", () => {
  it("is what `npm run trust -- --write` makes of the table and of what was measured", () => {
    const measured = JSON.parse(readFileSync(MEASURED, "utf8"));
    expect(readFileSync(RELIABILITY, "utf8")).toBe(reliability(measured));
  });
});
