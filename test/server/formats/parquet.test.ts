import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import type { Cell } from "../../../src/server/formats/csv.js";
import type { ParquetColumn } from "../../../src/server/formats/parquet/column.js";
import { parquetFile } from "../../../src/server/formats/parquet/file.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { chance, SEED } from "../../support/run/trials.js";

type Row = readonly Cell[];
interface Finding {
  readonly rows: Record<string, unknown>[] | number;
  readonly groups: number[];
  readonly same: boolean;
}

const folder = freshFolder();

const column = (name: string, kind: ParquetColumn["kind"], list = false): ParquetColumn => ({
  name,
  kind,
  list,
});

/** Writes files, and reads them by other programs. */
async function read(...tables: [readonly ParquetColumn[], readonly Row[]][]): Promise<Finding[]> {
  const paths: string[] = [];
  for (const [columns, rows] of tables) {
    const batches = (async function* () {
      for (let at = 0; at < rows.length; at += 700) yield rows.slice(at, at + 700);
    })();
    const pieces: Uint8Array[] = [];
    for await (const piece of parquetFile(columns, batches)) pieces.push(piece);
    paths.push(join(folder, `${paths.length}.parquet`));
    await writeFile(paths.at(-1) ?? "", Buffer.concat(pieces));
  }
  const script = packagePath("test", "python", "parquet.py");
  return JSON.parse(await runPython([script, ...paths], pythonOf("tables"))) as Finding[];
}

it("texts of any length and with any characters, nulls, and nothing at all are read back", async () => {
  const columns = [
    column("a", "text"),
    column("b", "text", true),
    column("c", "integer"),
    column("d", "number"),
    column("e", "flag"),
    column("f", "text"),
    column("g", "text", true),
  ];
  const long = "x".repeat(1 << 20);
  const rows: Row[] = [
    ["", [""], 0, 0.1, true, undefined, undefined],
    ["a\0b", ["\0", "é", "💥"], -1, -1e308, false, undefined, undefined],
    [long, [long, "y"], Number.MAX_SAFE_INTEGER, 5e-324, undefined, undefined, undefined],
    ["\ud800", [], Number.MIN_SAFE_INTEGER, -0.5, true, undefined, undefined],
    [undefined, undefined, undefined, undefined, undefined, undefined, undefined],
    // Of another kind than the column, or no number: null.
    [1, "tas", 1.5, Number.NaN, "true", undefined, undefined],
  ];
  const [full, empty] = await read([columns, rows], [columns, []]);
  const expected = rows.map((row) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
  );
  expected[3] = { ...expected[3], a: "\ufffd" };
  expected[5] = { a: null, b: null, c: null, d: null, e: null, f: null, g: null };
  expect(full?.rows).toEqual(expected);
  expect(full?.same).toBe(true);
  expect(empty).toEqual({ rows: [], groups: [], same: true });
});

it("pages, dictionaries and runs of any shape are read back", async () => {
  const random = chance(SEED);
  const below = (most: number): number => Math.floor(random() * most);
  const names = Array.from({ length: 9 }, (_, index) =>
    column(`c${index}`, "text", index % 3 === 0),
  );
  const kinds = [column("n", "integer"), column("t", "flag")];
  // Few values and many, in runs and mixed, rare and everywhere.
  const variety = names.map(() => 1 + below([2, 9, 300, 20_000][below(4)] ?? 1));
  const missing = names.map(() => [0, 0.01, 0.5, 0.99][below(4)] ?? 0);
  const runs = names.map(() => 1 + below(3) * below(30));
  const last = names.map((): Cell => undefined);
  const rows = Array.from({ length: 4900 }, (_, at) => [
    ...names.map(({ list }, index): Cell => {
      if (at % (runs[index] ?? 1) !== 0) return last[index];
      const one = (): string => `v${below(variety[index] ?? 1)}`;
      const isMissing = random() < (missing[index] ?? 0);
      const cell = list ? Array.from({ length: below(4) }, one) : one();
      last[index] = isMissing ? undefined : cell;
      return last[index];
    }),
    below(2 ** 31) - 2 ** 30,
    random() < 0.5,
  ]);
  const columns = [...names, ...kinds];
  const [told] = await read([columns, rows]);
  const expected = rows.map((row) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
  );
  expect(told?.same, `SEED=${SEED}`).toBe(true);
  expect(told?.rows, `SEED=${SEED}`).toEqual(expected);
});

it("row groups are bounded in rows and in bytes", async () => {
  const few: Row[] = Array.from({ length: 140_000 }, (_, index) => [`v${index % 3}`]);
  const random = chance(SEED);
  // What cannot be compressed to less than half.
  const wide: Row[] = Array.from({ length: 2500 }, () => [
    Array.from({ length: 600 }, () => random().toString(36).slice(2)).join(""),
  ]);
  const [rows, bytes] = await read([[column("a", "text")], few], [[column("a", "text")], wide]);
  expect(rows).toMatchObject({ rows: 140_000, groups: [131_072, 8928], same: true });
  expect(bytes?.groups.length).toBeGreaterThan(1);
  expect(bytes?.groups.reduce((sum, count) => sum + count)).toBe(2500);
});
