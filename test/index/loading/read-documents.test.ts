import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type DocumentText,
  readDocuments,
  type Unreadable,
} from "../../../src/index/loading/read-documents.js";

type Read = DocumentText | Unreadable;

/** Reads an input that arrives in pieces of a size. */
async function read(content: string | Uint8Array, pieceSize = 1 << 18): Promise<Read[]> {
  const bytes = Buffer.from(content);
  const pieces = async function* () {
    for (let i = 0; i < bytes.length; i += pieceSize) yield bytes.subarray(i, i + pieceSize);
  };
  const documents = readDocuments({
    name: "input",
    open: () => Readable.from(pieces(), { objectMode: false }),
  });
  const all: Read[] = [];
  for await (const document of documents) all.push(document);
  return all;
}

/** `line: value` of each document, `line! reason` of what cannot be read. */
const told = (documents: readonly Read[]): string[] =>
  documents.map((one) =>
    "text" in one
      ? `${one.line}: ${JSON.stringify(JSON.parse(one.text))}`
      : `${one.line}! ${one.reason}`,
  );

const ODD = [
  { file: "/ä/日本/😀/\uFFFD.nc" },
  { file: '/quote" back\\slash {[,]} \\" .nc', project: ["a]", "}b,"], more: { deep: [[{}], []] } },
  { file: "/line\nbreak\r\n.nc", empty: [] },
];
const VALUES = ODD.map((value) => JSON.stringify(value));

const FORMS: Readonly<Record<string, { text: string; lines: number[] }>> = {
  "JSON Lines": {
    text: ODD.map((value) => `${JSON.stringify(value)}\n`).join(""),
    lines: [1, 2, 3],
  },
  "JSON Lines with CRLF, empty lines, and no end of the last": {
    text: `\r\n${VALUES[0]}\r\n\r\n   \r\n${VALUES[1]}\r\n${VALUES[2]}`,
    lines: [2, 5, 6],
  },
  "an array in one line": { text: JSON.stringify(ODD), lines: [1, 1, 1] },
  "an array over many lines": { text: JSON.stringify(ODD, null, 2), lines: [2, 5, 20] },
  "an array with CRLF and space around": {
    text: `\r\n  [\r\n${VALUES.join("\r\n,\r\n")}\r\n]\r\n\r\n`,
    lines: [3, 5, 7],
  },
};

describe.each(Object.entries(FORMS))("%s", (_, { text, lines }) => {
  it.each([1, 2, 3, 7, 1 << 18])("is read completely in parts of %d bytes", async (size) => {
    for (const content of [text, `\uFEFF${text}`]) {
      for (const bytes of [Buffer.from(content), gzipSync(content)]) {
        const found = told(await read(bytes, size));
        expect(found).toEqual(VALUES.map((value, index) => `${lines[index]}: ${value}`));
      }
    }
  });
});

describe("the numbers of lines", () => {
  it("are those of the start of each element of an array", async () => {
    const text = '[\n  {\n    "file": "/a"\n  },\n\n  {"file": "/b"}, {\n"file":\n"/c"}\n]\n';
    expect(told(await read(text))).toEqual([
      '2: {"file":"/a"}',
      '6: {"file":"/b"}',
      '6: {"file":"/c"}',
    ]);
  });
});

describe("an empty input", () => {
  it.each([
    ["an empty input", ""],
    ["an input of empty lines", "\n\r\n  \n"],
    ["a BOM alone", "\uFEFF"],
    ["an empty array", "[]"],
    ["an empty array over several lines", " [\n\n]\n"],
    ["an empty gzipped input", gzipSync("")],
  ])("is what %s contains", async (_, content) => {
    for (const size of [1, 1000]) expect(await read(content, size)).toEqual([]);
  });
});

describe("a value that is no document", () => {
  it("is returned by itself in an array, and the next ones are read", async () => {
    const text =
      '[1,\n"x",\n[{"file":"/in"}],\nnull,\n{"file":"/a"} {"file":"/b"},\n,\n{"file":"/c"}},\n{"file":"/d"}]';
    expect((await read(text)).map((one) => ("text" in one ? one.text.trim() : one))).toEqual([
      "1",
      '"x"',
      '[{"file":"/in"}]',
      "null",
      '{"file":"/a"} {"file":"/b"}',
      "",
      '{"file":"/c"}}',
      '{"file":"/d"}',
    ]);
    expect((await read(text)).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("is reported once behind an array", async () => {
    expect(told(await read('[{"file":"/a"}]\n\n{"file":"/b"}\n{"file":"/c"}'))).toEqual([
      '1: {"file":"/a"}',
      "3! something follows the JSON array; nothing from here on was read",
    ]);
  });
});

describe("a truncated array", () => {
  const text = '[\n{"file":"/a"},\n{"file":"/b"}\n]';

  it("gives the documents before the cut and reports it", async () => {
    for (let end = 1; end < text.length; end++) {
      const found = told(await read(text.slice(0, end), 3));
      expect(found.at(-1)).toMatch(/^[1-4]! the JSON array is cut off$/);
      const whole = text.slice(0, end).split("},").length - 1;
      expect(found.slice(0, -1)).toEqual(['2: {"file":"/a"}'].slice(0, whole));
    }
  });
});

describe("a gzipped input", () => {
  const many = Array.from({ length: 5000 }, (_, i) =>
    JSON.stringify({ file: `/f${i}`, x: Math.sin(i) }),
  );
  const whole = gzipSync(`${many.join("\n")}\n`);

  it("gives the documents before a cut and reports it", async () => {
    for (const share of [0.02, 0.3, 0.7, 0.999]) {
      const found = told(await read(whole.subarray(0, Math.floor(whole.length * share)), 5000));
      const count = found.length - 1;
      expect(found.at(-1)).toBe(`${count + 1}! the gzipped data is cut off`);
      expect(found.slice(0, -1)).toEqual(
        many.slice(0, count).map((text, i) => `${i + 1}: ${text}`),
      );
      expect(count).toBeGreaterThan(5000 * share * 0.5 - 500);
    }
  });

  it("reports a cut within an array once", async () => {
    const array = gzipSync(`[${many.join(",\n")}]`);
    const found = told(await read(array.subarray(0, array.length / 2)));
    expect(found.filter((line) => /^\d+!/.test(line))).toHaveLength(1);
    expect(found.at(-1)).toMatch(/^\d+! .*cut off$/);
  });

  it("reports damage", async () => {
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, whole.length / 2, whole.length / 2 + 100);
    expect((await read(damaged)).at(-1)).toMatchObject({
      reason: expect.stringMatching(/^the gzipped data is damaged: /),
    });
  });

  it("is read to the end of several members", async () => {
    const two = Buffer.concat([gzipSync('{"file":"/a"}\n'), gzipSync('{"file":"/b"}\n')]);
    expect(told(await read(two))).toEqual(['1: {"file":"/a"}', '2: {"file":"/b"}']);
  });
});

describe("bytes that are not UTF-8", () => {
  const latin = Buffer.from('{"file":"/b\xE4r"}', "latin1");

  it("fail their document alone", async () => {
    const lines = Buffer.concat([
      Buffer.from('{"file":"/\uFFFD"}\n'),
      latin,
      Buffer.from('\n{"file":"/é"}\n'),
    ]);
    const array = Buffer.concat([
      Buffer.from('[{"file":"/\uFFFD"}\n,'),
      latin,
      Buffer.from('\n,{"file":"/é"}]'),
    ]);
    for (const size of [1, 2, 3, 1000]) {
      expect(told(await read(lines, size))).toEqual([
        '1: {"file":"/\uFFFD"}',
        "2! not UTF-8",
        '3: {"file":"/é"}',
      ]);
      expect(told(await read(array, size))).toEqual([
        '1: {"file":"/\uFFFD"}',
        "2! not UTF-8",
        '3: {"file":"/é"}',
      ]);
    }
  });

  it("are noticed at the very end", async () => {
    expect(told(await read(Buffer.from([0x7b, 0xe2, 0x82]), 1))).toEqual(["1! not UTF-8"]);
  });
});
