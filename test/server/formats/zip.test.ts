import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { type ZipEntry, zip } from "../../../src/server/formats/streams/zip.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";

async function* from<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

async function archive(entries: Iterable<ZipEntry>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zip(from([entries]))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** What Python's zipfile, another implementation, says of an archive. */
async function inspect(
  bytes: Uint8Array,
): Promise<{ count: number; bad: string | null; last: string }> {
  const folder = freshFolder();
  const path = join(folder, "a.zip");
  await writeFile(path, bytes);
  const code =
    "import zipfile,sys,json; z=zipfile.ZipFile(sys.argv[1]); n=z.namelist();" +
    "print(json.dumps({'count': len(n), 'bad': z.testzip(), 'last': n[-1] if n else ''}))";
  const { stdout } = await promisify(execFile)("python3", ["-c", code, path]);
  return JSON.parse(stdout);
}

describe("a zip archive", () => {
  it("contains its members, added whole or in parts", async () => {
    const text = Buffer.from("Ünïcode ".repeat(1000));
    const bytes = await archive([
      { name: "plain.json", data: Buffer.from("{}") },
      { name: "empty", data: new Uint8Array(0) },
      { name: "größe/日本.txt", data: text },
      { name: "as text", data: text.toString() },
      { name: "pieces", data: from([text, new Uint8Array(0), text]) },
      { name: "nothing in pieces", data: from([]) },
    ]);
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toHaveLength(6);
    expect(Buffer.from(files["größe/日本.txt"] ?? []).equals(text)).toBe(true);
    expect(Buffer.from(files["as text"] ?? []).equals(text)).toBe(true);
    expect(Buffer.from(files.pieces ?? []).equals(Buffer.concat([text, text]))).toBe(true);
    expect(await inspect(bytes)).toMatchObject({ count: 6, bad: null });
  });

  it("is the same for the same input", async () => {
    const entries = [{ name: "a", data: Buffer.from("a") }];
    expect(await archive(entries)).toEqual(await archive(entries));
  });

  it("may be empty", async () => {
    expect(await inspect(await archive([]))).toMatchObject({ count: 0, bad: null });
  });

  it("has ZIP64 above 65,535 members", async () => {
    const entries = function* (): Generator<ZipEntry> {
      for (let i = 0; i < 70_000; i++)
        yield { name: `items/${i}.json`, data: Buffer.from(`{"n":${i}}`) };
    };
    const bytes = await archive(entries());
    expect(await inspect(bytes)).toEqual({ count: 70_000, bad: null, last: "items/69999.json" });
  });

  it("lets other work run in between", async () => {
    const entries = function* (): Generator<ZipEntry> {
      const data = Buffer.from(JSON.stringify(Array.from({ length: 300 }, (_, i) => `value ${i}`)));
      for (let i = 0; i < 3000; i++) yield { name: `${i}`, data };
    };
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await archive(entries());
    clearInterval(timer);
    expectBelow(longest, 250);
  });
});
