/** Every command of docs/answers.md runs as it is written, against the sample catalogue, and finds something. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { pythonOf } from "../../support/programs/python.js";
import { codeBlocks, expectOutput } from "../../support/project/readme.js";
import { loadSample } from "../../support/service/sample.js";
import { emptyIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const DOCUMENT = join("docs", "answers.md");
/** Where its commands expect the service. */
const ADDRESS = "http://127.0.0.1:7777";

let folder: string;
const service = useService();
beforeAll(async () => {
  await emptyIndex(service.solr);
  await loadSample(service.solr);
  folder = await mkdtemp(join(tmpdir(), "climate-answers-"));
  await writeFile(join(folder, ".curlrc"), "fail\nsilent\nshow-error\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const blocks = codeBlocks(DOCUMENT).filter(({ language }) => language !== "yaml");
const run = promisify(execFile);

/** What a block prints, or writes into the folder. */
async function outcome(language: string, text: string): Promise<string> {
  const api = `${service.address}/api/climate-nextgen`;
  const PATH = [dirname(pythonOf()), process.env.PATH].join(delimiter);
  const options = { cwd: folder, env: { PATH, HOME: folder, API: api }, maxBuffer: 64 << 20 };
  const here = text.replaceAll(ADDRESS, service.address);
  const [command, flags] = language === "sh" ? ["bash", "-eco"] : ["python3", "-c"];
  const words = language === "sh" ? [flags, "pipefail", here] : [flags, here];
  return (await run(command, words as string[], options)).stdout;
}

describe("a command of docs/answers.md", () => {
  it.each(blocks)("runs as it is written and finds data: $language, line $line", async (block) => {
    const { language, text } = block;
    const shown = await outcome(language, text);
    expectOutput(block, shown);
    if (text.startsWith("export ")) return;
    const written = (await readdir(folder)).filter((name) => text.includes(`-o ${name}`));
    for (const name of written) {
      expect((await stat(join(folder, name))).size, name).toBeGreaterThan(500);
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
