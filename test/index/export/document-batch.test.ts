/** The lines of a batch of documents are the values that parsing them gives, or there are none. */
import { describe, expect, it } from "vitest";
import { DocumentBatch, SEPARATOR } from "../../../src/index/export/document-batch.js";

const member = (name: string, value: unknown): string =>
  `      ${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** Documents as Solr writes them, without the brace that ends the last one. */
const written = (...documents: readonly (readonly string[])[]): Buffer =>
  Buffer.from(`{\n${documents.map((members) => members.join(",\n")).join(SEPARATOR)}`);

const files = (...values: readonly unknown[]): Buffer =>
  written(...values.map((value) => [member("file", value)]));

const read = (bytes: Buffer): DocumentBatch => DocumentBatch.read(bytes, "file");

describe("a batch of documents with one field", () => {
  it.each([[["/a"]], [["/a", "/b c", "/d},{e"]], [["/ü", "/𝄞", "/n"]], [["", "/x", ""]]])(
    "gives %j as lines",
    (values) => {
      const batch = read(files(...values));
      expect(batch.lines?.toString()).toBe(values.map((value) => `${value}\n`).join(""));
      expect(batch.length).toBe(values.length);
      expect(batch.last).toEqual({ file: values.at(-1) });
      expect(batch.documents).toEqual(values.map((file) => ({ file })));
    },
  );

  it.each([
    [["/a", '/b"c']],
    [["/a\n", "/b"]],
    [["/a", "/b\\c", "/d"]],
    [["/a", 5, "/b"]],
    [["/a", 5]],
    [["/a", ["/b", "/c"]]],
  ])("has no lines of %j, and is parsed", (values) => {
    const batch = read(files(...values));
    expect(batch.lines).toBeUndefined();
    expect(batch.length).toBe(values.length);
    expect(batch.documents).toEqual(values.map((file) => ({ file })));
  });

  it("has no lines if a document has another field, or none", () => {
    const file = member("file", "/a");
    for (const odd of [[member("uri", "/b")], [file, member("uri", "/b")], []]) {
      for (const all of [
        [odd, [file]],
        [[file], odd, [file]],
        [[file], odd],
      ]) {
        const batch = read(written(...all));
        expect(batch.lines).toBeUndefined();
        expect(batch.length).toBe(all.length);
      }
    }
  });

  it("is refused if it is not UTF-8", () => {
    const bytes = files("/a");
    bytes[bytes.length - 2] = 0xff;
    expect(() => read(bytes)).toThrow("not UTF-8");
  });
});
