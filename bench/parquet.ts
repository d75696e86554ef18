/**
 * Compares our Parquet writer with hyparquet-writer: rate, longest pause of the event loop, memory, size.
 *
 *     npm install --no-save hyparquet-writer@0.17.0
 *     npx tsx bench/parquet.ts [N]     # N rows, 400,000
 *
 * Each writer runs in its own process. The rate is per processor time, including the making of the rows. pyarrow and
 * DuckDB then read every file completely and compare it with ours.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { packagePath } from "../src/platform/package-root.js";
import type { Cell } from "../src/server/formats/csv.js";
import type { ParquetColumn } from "../src/server/formats/parquet/column.js";
import { parquetFile } from "../src/server/formats/parquet/file.js";
import { makePython, pythonOf, runPython } from "../test/support/programs/python.js";
import { chance } from "../test/support/run/trials.js";
import { megabytes, milliseconds, perSecond } from "./report.js";

const BATCH = 1000;
/** Rows in a row group of hyparquet-writer: as in our row groups, fewer, and as in one of our pages. */
const GROUPS = [131_072, 16_384, 1024];

type Row = readonly Cell[];

/** Columns as in `extended-search`: paths, facets with few values, lists, sizes, times and numbers. */
const COLUMNS: readonly ParquetColumn[] = [
  { name: "file", kind: "text", list: false },
  { name: "project", kind: "text", list: false },
  { name: "model", kind: "text", list: false },
  { name: "experiment", kind: "text", list: true },
  { name: "variable", kind: "text", list: true },
  { name: "ensemble", kind: "text", list: true },
  { name: "time_frequency", kind: "text", list: false },
  { name: "size", kind: "integer", list: false },
  { name: "time_start", kind: "timestamp", list: false },
  { name: "west", kind: "number", list: false },
  { name: "is_online", kind: "flag", list: false },
];

async function* batches(count: number): AsyncGenerator<Row[], void, undefined> {
  const random = chance(1);
  const below = (most: number): number => Math.floor(random() * most);
  for (let at = 0; at < count; at += BATCH) {
    const rows: Row[] = [];
    for (let index = at; index < Math.min(count, at + BATCH); index += 1) {
      const [model, variable, member] = [`model-${below(120)}`, `var${below(300)}`, below(50)];
      rows.push([
        `/pool/data/CMIP6/${model}/r${member}i1p1f1/${variable}/${variable}_${index}.nc`,
        "cmip6",
        model,
        [`experiment-${below(60)}`],
        [variable, `also-${below(20)}`],
        [`r${member}i1p1f1`],
        "mon",
        below(2 ** 31),
        new Date(below(2 ** 31) * 1000).toISOString(),
        below(3600) / 10,
        random() < 0.5,
      ]);
    }
    // Like an answer of Solr, each batch arrives in its own turn of the event loop.
    await nextTurn();
    yield rows;
  }
}

/** The used part of hyparquet-writer, which is no dependency. */
interface Library {
  readonly ByteWriter: new () => { index: number; getBytes(): Uint8Array };
  readonly ParquetWriter: new (
    options: Readonly<Record<string, unknown>>,
  ) => { write(options: Readonly<Record<string, unknown>>): void; finish(): void };
}

const PHYSICAL = {
  text: "BYTE_ARRAY",
  bytes: "BYTE_ARRAY",
  integer: "INT64",
  timestamp: "INT64",
  number: "DOUBLE",
};

function schemaOf({ name, kind, list }: ParquetColumn): object[] {
  const leaf = {
    type: kind === "flag" ? "BOOLEAN" : PHYSICAL[kind],
    ...(kind === "text" && { converted_type: "UTF8" }),
    ...(kind === "timestamp" && { converted_type: "TIMESTAMP_MILLIS" }),
  };
  if (!list) return [{ ...leaf, name, repetition_type: "OPTIONAL" }];
  return [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { ...leaf, name: "element", repetition_type: "REQUIRED" },
  ];
}

function valueFor({ kind }: ParquetColumn, cell: Cell): unknown {
  if (kind === "integer") return BigInt(cell as number);
  return kind === "timestamp" ? new Date(cell as string) : cell;
}

async function* withLibrary(count: number, codec: string, group: number) {
  // Not a literal, so that the compiler does not resolve it.
  const name: string = "hyparquet-writer";
  const { ByteWriter, ParquetWriter } = (await import(name)) as Library;
  const writer = new ByteWriter();
  const schema = [{ name: "root", num_children: COLUMNS.length }, ...COLUMNS.flatMap(schemaOf)];
  const compressors = { GZIP: (bytes: Uint8Array) => gzipSync(bytes, { level: 3 }) };
  const file = new ParquetWriter({ writer, schema, codec, compressors });
  const written = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let rows: Row[] = [];
  const write = (): Uint8Array => {
    const columnData = COLUMNS.map((column, index) => ({
      name: column.name,
      data: rows.map((row) => valueFor(column, row[index])),
    }));
    file.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    return written();
  };
  for await (const batch of batches(count)) {
    for (const row of batch) {
      rows.push(row);
      if (rows.length === group) yield write();
    }
  }
  if (rows.length > 0) yield write();
  file.finish();
  yield written();
}

interface Measured {
  /** Milliseconds of processor time of all threads. */
  readonly busy: number;
  /** The longest pause of the event loop, and the 99th percentile. */
  readonly pause: number;
  readonly usual: number;
  /** Kilobytes. */
  readonly memory: number;
}

/** Writes one file in this process, and prints the measures. */
async function writeOne(count: number, writer: string, path: string): Promise<void> {
  const [codec = "", group = ""] = writer.split("/");
  const pieces =
    codec === "ours"
      ? parquetFile(COLUMNS, batches(count))
      : withLibrary(count, codec, Number(group));
  const before = process.resourceUsage().maxRSS;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = process.cpuUsage();
  const out = createWriteStream(path);
  for await (const piece of pieces) {
    if (!out.write(piece)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
  const { user, system } = process.cpuUsage(begun);
  const measured: Measured = {
    busy: (user + system) / 1000,
    pause: delay.max / 1e6,
    usual: delay.percentile(99) / 1e6,
    memory: process.resourceUsage().maxRSS - before,
  };
  process.stdout.write(JSON.stringify(measured));
}

async function compare(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "climate-bench-parquet-"));
  try {
    const codecs = ["GZIP", "SNAPPY"];
    const writers = [
      "ours",
      ...codecs.flatMap((codec) => GROUPS.map((rows) => `${codec}/${rows}`)),
    ];
    console.log(
      "| writer, rows of a group | rows a second of processor time | pause: longest, p99 | memory | file | read |",
    );
    console.log("|---|---|---|---|---|---|");
    await makePython("tables");
    const ours = join(folder, "ours.parquet");
    for (const writer of writers) {
      const path = join(folder, `${writer.replace("/", "-")}.parquet`);
      const args = ["--import", "tsx", fileURLToPath(import.meta.url), String(count), writer, path];
      const output = execFileSync(process.execPath, args, { encoding: "utf8" });
      const { busy, pause, usual, memory } = JSON.parse(output) as Measured;
      const script = packagePath("bench", "same_parquet.py");
      const read = await runPython([script, ours, path], pythonOf("tables"));
      const cells = [
        writer,
        perSecond((1000 * count) / busy),
        `${milliseconds(pause)}, ${milliseconds(usual)}`,
        `+ ${megabytes(memory)}`,
        `${(statSync(path).size / 1e6).toFixed(1)} MB`,
        read.trim(),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [count = "400000", writer, path] = process.argv.slice(2);
if (writer === undefined || path === undefined) await compare(Number(count));
else await writeOne(Number(count), writer, path);
