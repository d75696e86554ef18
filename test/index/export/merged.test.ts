/** The exports of several shards become one list in the order of a single one. */
import { describe, expect, it } from "vitest";
import { DocumentBatch, type SolrDocument } from "../../../src/index/export/document-batch.js";
import { type Batches, merged } from "../../../src/index/export/merged.js";
import { chance, SEED } from "../../support/run/trials.js";

const random = chance(SEED);
const below = (most: number): number => Math.floor(random() * most);

/** An export that tells whether it was ended. */
function source(documents: readonly SolrDocument[], failsAfter = Number.POSITIVE_INFINITY) {
  let isEnded = false;
  async function* read(): Batches {
    try {
      for (let at = 0; at < documents.length; ) {
        const size = below(7);
        if (at + size > failsAfter) throw new Error("broken");
        yield DocumentBatch.of(documents.slice(at, at + size));
        at += size;
      }
    } finally {
      isEnded = true;
    }
  }
  return { batches: read(), isEnded: () => isEnded };
}

async function collect(batches: Batches): Promise<SolrDocument[]> {
  const all: SolrDocument[] = [];
  for await (const { documents } of batches) all.push(...documents);
  return all;
}

const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const LETTERS = ["a", "b", "/", "ä", "\uff41", "\u{1f30d}"];
const text = (): string =>
  Array.from({ length: 1 + below(5) }, () => LETTERS[below(LETTERS.length)]).join("");

describe("the documents of several shards", () => {
  it("have the order of one shard, by UTF-8", async () => {
    for (let trial = 0; trial < 200; trial++) {
      const files = Array.from({ length: below(200) }, text).sort((a, b) => byUtf8(b, a));
      const shards: SolrDocument[][] = Array.from({ length: 1 + below(5) }, () => []);
      for (const file of files) shards[below(shards.length)]?.push({ file });
      const all = merged(
        shards.map((documents) => source(documents).batches),
        "file desc",
      );
      expect(await collect(all)).toEqual(files.map((file) => ({ file })));
    }
  });

  it("are compared by the second field where the first is equal, and as numbers where they are", async () => {
    const shards = [
      [
        { n: 9, file: "b" },
        { n: 10, file: "a" },
      ],
      [
        { n: 9, file: "a" },
        { n: 9, file: "c" },
        { n: 10, file: "b" },
      ],
    ];
    const all = merged(
      shards.map((documents) => source(documents).batches),
      "n asc,file asc",
    );
    expect((await collect(all)).map(({ n, file }) => `${n}${file}`)).toEqual([
      "9a",
      "9b",
      "9c",
      "10a",
      "10b",
    ]);
  });

  it("break off as a whole if one shard does, and every export is ended", async () => {
    const files = Array.from({ length: 90 }, (_, i) => ({ file: `${10 + i}` }));
    const shards = [0, 1, 2].map((shard) =>
      source(
        files.filter((_, i) => i % 3 === shard),
        shard === 1 ? 20 : undefined,
      ),
    );
    const all = merged(
      shards.map(({ batches }) => batches),
      "file asc",
    );
    await expect(collect(all)).rejects.toThrow("broken");
    expect(shards.map(({ isEnded }) => isEnded())).toEqual([true, true, true]);
  });

  it("end every export when their reader leaves", async () => {
    const files = Array.from({ length: 90 }, (_, i) => ({ file: `${10 + i}` }));
    const shards = [source(files), source(files)];
    const all = merged(
      shards.map(({ batches }) => batches),
      "file asc",
    );
    await all.next();
    await all.return();
    expect(shards.map(({ isEnded }) => isEnded())).toEqual([true, true]);
  });
});
