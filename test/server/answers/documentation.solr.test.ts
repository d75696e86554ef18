/** Every command of docs/answers.md runs as it is written, against the sample catalogue, and finds something. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { codeBlocks, expectOutput } from "../../support/project/readme.js";
import { useCommands } from "../../support/service/document-commands.js";

const DOCUMENT = join("docs", "answers.md");
const blocks = codeBlocks(DOCUMENT).filter(({ language }) => language !== "yaml");
const { folder, outcome } = useCommands((address) => ({ API: address + PREFIX }));

describe("a command of docs/answers.md", () => {
  it.each(blocks)("runs as it is written and finds data: $language, line $line", async (block) => {
    const { language, text } = block;
    const shown = await outcome(language, text);
    expectOutput(block, shown);
    if (text.startsWith("export ")) return;
    const written = (await readdir(folder())).filter((name) => text.includes(`-o ${name}`));
    for (const name of written) {
      expect((await stat(join(folder(), name))).size, name).toBeGreaterThan(500);
    }
    if (written.length === 0) expect(shown.trim(), text).not.toBe("");
    if (!shown.startsWith("{")) return;
    const answer = JSON.parse(shown) as Record<string, unknown>;
    const lists = Object.values(answer).filter((value) => Array.isArray(value));
    expect(lists.some((list) => list.length > 0)).toBe(true);
    if ("complete_count" in answer) expect(answer.complete_count).toBeGreaterThan(0);
  });

  it("exists for each of the five answers, with curl and with Python", async () => {
    const text = await readFile(packagePath(DOCUMENT), "utf8");
    for (const operation of ["summary", "why", "complete", "coverage", "extended-search"]) {
      expect(blocks.some((block) => block.text.includes(`/${operation}/cmip6`))).toBe(true);
      expect(text).toContain(`\`${operation}/{flavour}`);
    }
    expect(blocks.some(({ language }) => language === "python")).toBe(true);
  });
});
