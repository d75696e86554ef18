/** Every command of docs/stac-api.md runs as it is written, against the sample catalogue, and finds something. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetFilter, pystacLines } from "../../../web/src/results/pystac-lines.js";
import { pythonOf } from "../../support/programs/python.js";
import { codeBlocks, expectOutput } from "../../support/project/readme.js";
import { loadSample } from "../../support/service/sample.js";
import { emptyIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

/** Where its commands expect the service. */
const ADDRESS = "http://127.0.0.1:7777";

let folder: string;
const service = useService();
beforeAll(async () => {
  await emptyIndex(service.solr);
  await loadSample(service.solr);
  folder = await mkdtemp(join(tmpdir(), "climate-stac-"));
  await writeFile(join(folder, ".curlrc"), "fail\nsilent\nshow-error\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = promisify(execFile);

async function outcome(language: string, text: string): Promise<string> {
  const PATH = [dirname(pythonOf("stac")), process.env.PATH].join(delimiter);
  const env = { PATH, HOME: folder, STAC: `${service.address}${PREFIX}/stac` };
  const here = text.replaceAll(ADDRESS, service.address);
  const args = language === "sh" ? ["bash", "-eco", "pipefail", here] : ["python3", "-c", here];
  const [command = "", ...rest] = args;
  return (await run(command, rest, { cwd: folder, env, maxBuffer: 64 << 20 })).stdout;
}

describe("a command of docs/stac-api.md", () => {
  it.each(codeBlocks(join("docs", "stac-api.md")))(
    "runs as it is written and finds data: $language, line $line",
    async (block) => {
      const { language, text } = block;
      const shown = await outcome(language, text);
      expectOutput(block, shown);
      if (language === "python") {
        expect(Number.parseInt(shown, 10)).toBeGreaterThan(0);
        expect(shown.trim().split("\n").length).toBe(Number.parseInt(shown, 10) + 1);
        return;
      }
      const answer = JSON.parse(shown.replace(/^[^{]*/, "")) as {
        numberMatched?: number;
        aggregations?: { value?: number }[];
      };
      expect(answer.numberMatched ?? answer.aggregations?.[0]?.value).toBeGreaterThan(0);
    },
  );
});

describe("the lines of pystac-client on the page", () => {
  it("give the dataset's item, whatever is in its name", async () => {
    const id = "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn";
    const address = `${service.address}${PREFIX}/stac`;
    const shown = await outcome("python", pystacLines(address, datasetFilter(id)));
    expect(shown).toContain(`${id}.v20190710 ['data0001', `);
    const odd = pystacLines(address, datasetFilter(`it's "odd" \\ é`));
    expect(await outcome("python", odd)).toBe("");
  });
});
