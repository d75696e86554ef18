/** Catalogue files that unzip to one line without an end. */
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { expect, it } from "vitest";
import { readDocuments } from "../../../src/index/loading/read-documents.js";
import { expectBelow } from "../../support/run/bounds.js";
import { attempts, patience } from "../../support/run/trials.js";

/** Much more than is to be unzipped of it, in MiB. */
const SIZE = attempts(2000, 20_000);

function* bomb(start: string, filling: string): Generator<Buffer> {
  yield Buffer.from(start);
  const piece = Buffer.alloc(1 << 20, filling);
  for (let i = 0; i < SIZE; i++) yield piece;
}

const FORMS: [string, string, string, number][] = [
  ["a line of zeros", '{"file": "/a.nc"}\n{"file": "/b.nc"}\n', "0", 3],
  ["a line of blanks", "\n\n", " ", 3],
  ["a text in a document", '{"file": "/a.nc"}\n\n{"file": "', "a", 3],
  ["an element of an array", '[\n{"file": "/a.nc"},\n{"file": "', "a", 3],
  ["brackets", '[\n{"file": "/a.nc"},\n', "[", 3],
  ["an array of blanks", '[\n{"file": "/a.nc"},\n\n', "\t", 4],
];

it.each(FORMS)(
  "%s is refused early, with its line, in bounded memory",
  async (_, start, filling, line) => {
    let sent = 0;
    const bytes = async function* () {
      for (const piece of bomb(start, filling)) {
        sent += piece.length;
        yield piece;
      }
    };
    const zipped = Readable.from(bytes()).pipe(createGzip({ level: 1 }));
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const refused: (string | number)[] = [];
    for await (const one of readDocuments({ name: "bomb", open: () => zipped })) {
      if ("reason" in one) refused.push(one.line, one.reason);
    }
    clearInterval(watch);
    expect(refused).toEqual([line, expect.stringMatching(/more than 16,777,216 characters/)]);
    expect(sent).toBeLessThan(SIZE * 2 ** 19);
    expectBelow(most - before, 400 * 2 ** 20);
  },
  patience(60_000),
);
