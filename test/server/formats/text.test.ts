/** Documents as text: lists, counts and catalogues, whole or broken off. */
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { CountedField } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOURS } from "../../../src/domain/vocabulary/flavours.js";
import type { SolrDocument } from "../../../src/index/export/document-batch.js";
import { facetSummary } from "../../../src/server/formats/aggregation/facet-summary.js";
import type { CatalogueSource } from "../../../src/server/formats/catalogue.js";
import { intakeCatalogue, scalarColumns } from "../../../src/server/formats/intake.js";
import { pathList } from "../../../src/server/formats/path-list.js";
import { pieceBody } from "../../../src/server/formats/streams/piece-body.js";

async function* batches(...all: SolrDocument[][]): AsyncGenerator<SolrDocument[]> {
  yield* all;
}

async function whole(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += Buffer.from(piece as string).toString();
  return text;
}

describe("a list of paths", () => {
  it("has one path a line, also those that contain a line break", async () => {
    const documents = batches([{ file: "/a\nb" }, { file: "/c\r" }], [], [{ file: "/%0A ü" }]);
    expect(await whole(pathList(documents, "file"))).toBe("/a%0Ab\n/c%0D\n/%0A ü\n");
  });

  it("is empty for no paths", async () => {
    expect(await whole(pathList(batches(), "uri"))).toBe("");
  });
});

describe("an unread body", () => {
  it("ends its source", async () => {
    let isEnded = false;
    const open = {
      next: async () => ({ done: false as const, value: "a piece" }),
      return: async () => {
        isEnded = true;
        return { done: true as const, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    async function* wrapped() {
      yield* open;
    }
    pieceBody(wrapped()).abandon();
    await expect.poll(() => isEnded).toBe(true);
  });
});

describe("a summary of facets", () => {
  it("has values in the order of the counts, with counts as text, by the flavour's names", () => {
    const values = new Map([
      ["10", 4],
      ["9", 5],
      ["Z", 3],
      ["b", 2],
      ["ä", 1],
    ]);
    const counts = new Map<CountedField, Map<string, number>>([["model", values]]);
    const found = { total: 15, counts, known: new Map<CountedField, number>() };
    const nextValues = (): string => "";
    const summary = facetSummary(found, FLAVOURS.cmip6, true, { nextValues });
    expect(summary).toMatchObject({
      total_count: 15,
      facets: { source_id: ["10", "4", "9", "5", "Z", "3", "b", "2", "ä", "1"] },
      facet_mapping: { model: "source_id" },
    });
    const native = facetSummary(found, FLAVOURS.cmip6, false, { nextValues });
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
  it.each([0, 1, 3])("is one JSON text with a row for each of %d documents", async (count) => {
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

  it("has texts for facets with one value in every row, and names the others", async () => {
    const documents = [
      { file: "/a.nc", model: ["M"], variable: ["tas", "pr"], format: "nc" },
      { file: "/b.nc", model: ["M", "changed"], variable: ["tas"], format: "nc" },
    ];
    const found = (values: number, missing = 0) => ({
      found: 2,
      sample: [],
      steps: {},
      numbers: {
        count: 2,
        values_model: 2,
        values_variable: values,
        missing_format: missing,
        values_format: 2,
      },
    });
    expect([...scalarColumns(SOURCE, found(3))]).toEqual(["model", "format"]);
    expect([...scalarColumns(SOURCE, found(2, 1))]).toEqual(["variable", "model"].reverse());
    expect([...scalarColumns(SOURCE, undefined)]).toEqual([]);
    const scalars = scalarColumns(SOURCE, found(3));
    const text = await whole(intakeCatalogue(batches(documents), SOURCE, NOW, { scalars }));
    const { description, catalog_dict: rows } = JSON.parse(text) as {
      description: string;
      catalog_dict: object[];
    };
    expect(rows[0]).toMatchObject({ source_id: "M", variable_id: ["tas", "pr"], format: "nc" });
    // A document that has several since it was counted keeps them.
    expect(rows[1]).toMatchObject({ source_id: ["M", "changed"], variable_id: ["tas"] });
    expect(description).toMatch(/Columns with lists, .*: .*variable_id/);
    expect(description).not.toMatch(/lists.*source_id/);
  });

  it("is no JSON if it breaks off", async () => {
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
  it("reads nothing before it is read, and ends its source when its reader leaves", async () => {
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
    const body = pieceBody(source);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(0);
    const pieces: Buffer[] = [];
    // It never says that it takes more, and so stays full.
    const out = new Writable({ highWaterMark: 1, write: (piece) => void pieces.push(piece) });
    const writing = body.writeTo(out);
    await expect.poll(() => pieces.length).toBe(1);
    expect(new TextDecoder("utf-8", { fatal: true }).decode(pieces[0])).toMatch(/^ü+$/);
    expect(asked).toBeLessThan(4);
    out.destroy();
    await writing;
    await expect.poll(() => ended).toBe(true);
  });

  it("is broken by an error, and not ended", async () => {
    const source = (async function* () {
      yield "a";
      throw new Error("cut");
    })();
    const out = new Writable({ write: (_piece, _, done) => done() });
    await expect(pieceBody(source).writeTo(out)).rejects.toThrow("cut");
    expect(out.writableEnded).toBe(false);
  });
});
