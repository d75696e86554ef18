/** Documents as text: lists, counts and catalogues, whole or broken off. */
import { describe, expect, it } from "vitest";
import type { CountedField } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOURS } from "../../../src/domain/vocabulary/flavours.js";
import type { SolrDocument } from "../../../src/index/export/export.js";
import { facetSummary } from "../../../src/server/formats/aggregation/facet-summary.js";
import type { CatalogueSource } from "../../../src/server/formats/catalogue.js";
import { intakeCatalogue } from "../../../src/server/formats/intake.js";
import { pathList } from "../../../src/server/formats/path-list.js";
import { byteStream } from "../../../src/server/formats/streams/byte-stream.js";

async function* batches(...all: SolrDocument[][]): AsyncGenerator<SolrDocument[]> {
  yield* all;
}

async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

describe("a list of paths", () => {
  it("has one a line, also of those that hold the end of one", async () => {
    const documents = batches([{ file: "/a\nb" }, { file: "/c\r" }], [], [{ file: "/%0A ü" }]);
    expect(await whole(pathList(documents, "file"))).toBe("/a%0Ab\n/c%0D\n/%0A ü\n");
  });

  it("of nothing is empty", async () => {
    expect(await whole(pathList(batches(), "uri"))).toBe("");
  });
});

describe("a summary of facets", () => {
  it("has values in the order of their code units, with counts as text, by the flavour's names", () => {
    const values = new Map([
      ["ä", 1],
      ["b", 2],
      ["Z", 3],
      ["10", 4],
      ["9", 5],
    ]);
    const counts = new Map<CountedField, Map<string, number>>([["model", values]]);
    const found = { total: 15, counts, known: new Map<CountedField, number>() };
    const summary = facetSummary(found, FLAVOURS.cmip6, true, {});
    expect(summary).toMatchObject({
      total_count: 15,
      facets: { source_id: ["10", "4", "9", "5", "Z", "3", "b", "2", "ä", "1"] },
      facet_mapping: { model: "source_id" },
    });
    const native = facetSummary(found, FLAVOURS.cmip6, false, {});
    expect(Object.keys(native.facets)).toEqual(["model"]);
    expect(native.facet_mapping).toEqual({ model: "source_id" });
  });
});

const SOURCE: CatalogueSource = {
  flavour: FLAVOURS.cmip6,
  key: "file",
  translate: true,
  multiVersion: false,
  filters: [["variable_id", 'tas"']],
  options: {},
  api: "https://data.example.org/api",
  stream: (file) => file,
};
const NOW = new Date("2001-02-03T04:05:06.789Z");

describe("an intake-esm catalogue", () => {
  it.each([0, 1, 3])("of %d documents is one JSON text with a row for each", async (count) => {
    const documents = Array.from({ length: count }, (_, i) => ({
      file: `/a"${i}.nc`,
      model: ["M"],
      variable: ["tas", "pr"],
      format: "nc",
    }));
    const text = await whole(
      intakeCatalogue(batches(documents.slice(0, 1), documents.slice(1)), SOURCE, NOW),
    );
    const catalogue = JSON.parse(text) as {
      catalog_dict: Record<string, unknown>[];
      last_updated: string;
    };
    expect(catalogue.last_updated).toBe("2001-02-03T04:05:06");
    expect(catalogue.catalog_dict.map(({ file }) => file)).toEqual(
      documents.map(({ file }) => file),
    );
    for (const row of catalogue.catalog_dict) {
      // What differs within a group is no part of what it is.
      expect(row).toMatchObject({
        source_id: ["M"],
        variable_id: ["tas", "pr"],
        data_format: "netcdf",
      });
      expect(row.group_id).not.toMatch(/tas/);
    }
  });

  it("that breaks off is no JSON", async () => {
    const pieces: string[] = [];
    const broken = (async function* () {
      yield [{ file: "/a.nc" }];
      throw new Error("cut");
    })();
    const reading = (async () => {
      for await (const piece of intakeCatalogue(broken, SOURCE, NOW)) pieces.push(piece);
    })();
    await expect(reading).rejects.toThrow("cut");
    expect(() => JSON.parse(pieces.join(""))).toThrow();
  });
});

describe("a stream of bytes", () => {
  it("asks for nothing before it is read, and ends its source when its reader goes", async () => {
    let asked = 0;
    let ended = false;
    const source = (async function* () {
      try {
        for (;;) {
          asked += 1;
          yield "ü".repeat(40_000);
        }
      } finally {
        ended = true;
      }
    })();
    const reader = byteStream(source).getReader();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(0);
    const { value } = await reader.read();
    expect(new TextDecoder("utf-8", { fatal: true }).decode(value)).toMatch(/^ü+$/);
    expect(asked).toBeLessThan(4);
    await reader.cancel();
    expect(ended).toBe(true);
  });

  it("is broken by an error, and not ended", async () => {
    const source = (async function* () {
      yield "a";
      throw new Error("cut");
    })();
    await expect(new Response(byteStream(source)).text()).rejects.toThrow();
  });
});
