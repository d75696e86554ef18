/** Files that were cut off; test/attack/files/damage.slow.test.ts has all other damage. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";
import { freshFolder } from "../../support/run/folders.js";
import { use } from "../../support/run/use.js";
import { makeFiles } from "../zarr/files.js";

const files = use(() => makeFiles("small"));
const folder = freshFolder();

describe("a truncated file", () => {
  const SHARES = [0.5, 0.9, 0.99];
  const cut = async (name: string, share: number): Promise<string> => {
    const original = await readFile(files.path(name));
    const path = join(folder, `cut-${name}`);
    await writeFile(path, original.subarray(0, Math.floor(original.length * share)));
    return path;
  };

  it.each(["small_old.nc", "small_new.nc", "small_shared.nc"])(
    "is refused as damaged: %s",
    async (name) => {
      for (const share of SHARES) {
        const path = await cut(name, share);
        expect(() => indexFile(path)).toThrow(expect.objectContaining({ kind: "damaged-file" }));
      }
    },
  );

  it.each(["small_3.nc", "small_5.nc"])(
    "has the variables that end before the cut, and names the others: %s",
    async (name) => {
      const whole = [...indexFile(files.path(name)).arrays.keys()].sort();
      // In half of the file its header has no end.
      for (const share of SHARES.slice(1)) {
        const { arrays, texts } = indexFile(await cut(name, share));
        const leftOut = JSON.parse(texts.get(".zattrs") ?? "{}")._left_out as string[];
        const pattern = /^(.+): The file has \d+ bytes of the \d+ it should have\.$/;
        const named = leftOut.map((sentence) => pattern.exec(sentence)?.[1]);
        expect(named.length).toBeGreaterThan(0);
        expect([...arrays.keys(), ...named].sort()).toEqual(whole);
      }
    },
  );
});
