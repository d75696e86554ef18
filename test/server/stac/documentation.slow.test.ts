/** Every command of docs/stac-api.md runs as it is written, against the sample catalogue, and finds something. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetFilter, pystacLines } from "../../../web/src/results/pystac-lines.js";
import { codeBlocks, expectOutput } from "../../support/project/readme.js";
import { useCommands } from "../../support/service/document-commands.js";

const { service, outcome } = useCommands(
  (address) => ({ STAC: `${address}${PREFIX}/stac` }),
  "stac",
);

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
