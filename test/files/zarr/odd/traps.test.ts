/** What goes wrong silently where it is not known, one guarantee each. */
import { copyFile, open as openFile, readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { findChunk } from "../../../../src/files/netcdf/chunk-table.js";
import { undoFilters } from "../../../../src/files/netcdf/render/filters.js";
import { loadHdf5Decoder } from "../../../../src/files/netcdf/render/hdf5-decoder.js";
import { Source } from "../../../../src/files/netcdf/source/source.js";
import { renderChunk } from "../../../../src/files/zarr/body/render.js";
import type { Content, Dataset } from "../../../../src/files/zarr/dataset/dataset.js";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import { planReferences } from "../../../../src/files/zarr/references/plan.js";
import { indexFile } from "../../../../src/files/zarr/worker/operations.js";
import { jsonReferences } from "../../../../src/server/formats/references/json.js";
import { use } from "../../../support/run/use.js";
import { makeFiles } from "../files.js";

const files = use(() =>
  makeFiles(
    "netcdf3",
    "indexes",
    "edges",
    "masks",
    "filters",
    "types",
    "fills",
    "structure",
    "formats",
  ),
);
const datasets = new Datasets();

afterAll(() => datasets.close());

const open = (name: string): Promise<Dataset> => datasets.open(files.path(name));

const keysOf = async (name: string): Promise<string[]> => [
  ...((await (await open(name)).referable?.().documents())?.keys() ?? []),
];

async function array(name: string, variable: string): Promise<Record<string, unknown>> {
  const text = await (await open(name)).document(`${variable}/.zarray`);
  return JSON.parse(text ?? "null") as Record<string, unknown>;
}

async function attributes(name: string, path = ""): Promise<string> {
  return (await (await open(name)).document(`${path}.zattrs`)) ?? "";
}

async function bytesOf(content: Content): Promise<Uint8Array> {
  if (content.kind === "bytes") return content.data;
  if (content.kind === "range") return datasets.read(content.range);
  throw new Error(`a ${content.kind}`);
}

describe("1. a missing key", () => {
  it("is a chunk that was not written, whose fill value is known", async () => {
    const dataset = await open("fills.nc");
    expect(await dataset.content("with_fill/0.0.0")).toEqual({
      kind: "absent",
      reason: "unwritten-chunk",
    });
    expect((await dataset.content("with_fill/2.0.0")).kind).toBe("range");
  });

  it.each([
    "with_fill/6.0.0",
    "with_fill/0.0",
    "with_fill/0.0.0.0",
    "with_fill/00.0.0",
    "with_fill/-1.0.0",
    "with_fill/0.0.0/",
    "nothing/0",
    "with_fill",
    "",
    "../fills.nc",
  ])("is no key at all: %j", async (key) => {
    expect(await (await open("fills.nc")).content(key)).toEqual({ kind: "unknown-key" });
  });

  it("is a document that does not exist", async () => {
    expect(await (await open("fills.nc")).content("nothing/.zarray")).toEqual({
      kind: "absent",
      reason: "no-such-document",
    });
  });
});

describe("2. the fill value", () => {
  it("is _FillValue, or null without one, and then missing chunks are made", async () => {
    expect(await array("fills.nc", "with_fill")).toMatchObject({ fill_value: -1 });
    expect(await attributes("fills.nc", "with_fill/")).not.toContain("_FillValue");
    expect(await array("fills.nc", "without")).toMatchObject({ fill_value: null });
    const content = await (await open("fills.nc")).content("without/0.0.0");
    if (content.kind !== "bytes") throw new Error(content.kind);
    // From another thread, and Node 22 on refuses to hand over memory that is shared with other things.
    expect(content.data.buffer.byteLength).toBe(content.data.byteLength);
  });

  it("is null if HDF5 fills with another value", async () => {
    expect(await array("other_fill.nc", "differs")).toMatchObject({ fill_value: null });
    expect(await attributes("other_fill.nc", "differs/")).toContain('"_FillValue":-1.0');
    expect((await (await open("other_fill.nc")).content("differs/1.0")).kind).toBe("bytes");
  });
});

it("3. numbers in JSON keep their points, their digits and their NaN", async () => {
  const text = await attributes("types.nc");
  expect(text).toContain('"exact":4611686018427387905');
  expect(text).toContain('"one":1.0,');
  expect(text).toContain('"single":0.10000000149011612');
  expect(text).toContain('"large":100000000000000000000.0');
  expect(text).toContain('"none":NaN');
  expect(text).toContain('"many":[1.0,1e999,-1e999]');
});

it("3. numbers that are not finite are shown to a person too", async () => {
  const { groups } = await (await open("types.nc")).summary();
  const shown = new Map(groups[0]?.attributes.map(({ name, text }) => [name, text]));
  expect(shown.get("none")).toBe("NaN");
  expect(shown.get("many")).toBe('[1,"Infinity","-Infinity"]');
});

it("3. a reader of standard JSON gets it, under a tag of its own", async () => {
  const content = await (await open("types.nc")).content(".zattrs");
  const strict = await datasets.strict(content);
  if (strict.kind !== "document" || content.kind !== "document") throw new Error(strict.kind);
  expect(JSON.parse(strict.text)).toMatchObject({ none: "NaN", text: 'quote " and \\ and ü' });
  expect(strict.tag).not.toBe(content.tag);
  const plain = await (await open("texts.nc")).content(".zmetadata");
  expect(await datasets.strict(plain)).toBe(plain);
});

describe("4. dimensions", () => {
  it("have netCDF-C's phony names if they have none", async () => {
    expect(await attributes("phony.nc", "g/d/")).toBe(
      '{"_ARRAY_DIMENSIONS":["phony_dim_0","phony_dim_1"]}',
    );
    expect(await attributes("phony.nc", "b/")).toBe(
      '{"_ARRAY_DIMENSIONS":["phony_dim_3","phony_dim_4"]}',
    );
  });

  it("lose _nc4_non_coord_ from their variables' names", async () => {
    expect(await attributes("named.nc", "alpha/")).toBe('{"_ARRAY_DIMENSIONS":["beta"]}');
  });

  it("pad the shorter variables if they are unlimited", async () => {
    expect(await array("fills.nc", "short")).toMatchObject({ shape: [6, 500, 600] });
    expect((await (await open("fills.nc")).content("short/1.0.0")).kind).toBe("range");
    expect((await (await open("fills.nc")).content("short/5.0.0")).kind).toBe("bytes");
  });
});

it("5. texts are vlen-utf8, characters |S1, and big-endian stays", async () => {
  const texts = { dtype: "|O", filters: [{ id: "vlen-utf8" }], fill_value: null };
  expect(await array("texts.nc", "texts")).toMatchObject(texts);
  expect(await array("texts.nc", "letters")).toMatchObject({ dtype: "|S1", fill_value: "LQ==" });
  expect(await array("types.nc", "big_f4")).toMatchObject({ dtype: ">f4" });
});

describe("6. NetCDF-3 records", () => {
  it("are gathered to about a mebibyte", async () => {
    const { chunks } = await array("netcdf3_classic.nc", "a");
    expect(chunks).toEqual([262, 1000]);
  });

  it("have no padding between them if there is a single variable", async () => {
    const content = await (await open("single_record.nc")).content("only/0.0");
    const bytes = await bytesOf(content);
    expect([...bytes]).toEqual(Array.from({ length: 33 }, (_, i) => i));
  });
});

it("7. small arrays are one chunk", async () => {
  expect(await array("index_long.nc", "fixed")).toMatchObject({
    chunks: [20_000],
    compressor: null,
  });
});

it("8. each group has its .zmetadata", async () => {
  const dataset = await open("named.nc");
  const text = (await dataset.document("sub group/.zmetadata")) ?? "";
  expect(Object.keys((JSON.parse(text) as { metadata: object }).metadata)).toEqual([
    ".zgroup",
    ".zattrs",
    "v/.zarray",
    "v/.zattrs",
  ]);
  expect(await dataset.document(".zmetadata")).toContain('"sub group/v/.zarray"');
});

it("8. references give each group its own .zmetadata", async () => {
  const dataset = (await open("named.nc")).referable?.();
  if (dataset === undefined) throw new Error("there are no references to the file");
  const { signal } = new AbortController();
  const plan = await planReferences(dataset, 1_000_000, undefined, signal);
  let text = "";
  for await (const piece of jsonReferences(plan, undefined)) text += piece;
  const { refs } = JSON.parse(text) as { refs: Readonly<Record<string, unknown>> };
  const keys = Object.keys(refs).filter((key) => key.endsWith(".zmetadata"));
  expect(keys.sort()).toEqual([".zmetadata", "sub group/.zmetadata"]);
  expect(Object.keys(refs)).not.toContain("sub group");
});

// 9. is damage.test.ts.

describe("10. chunk indexes in which HDF5's own query is wrong", () => {
  it("include extensible arrays whose unlimited dimension is not the first", async () => {
    const path = files.path("index_latest.nc");
    const [a, b] = await Promise.all([readAll(path, "second_unlimited"), readAll(path, "fixed")]);
    expect(Buffer.compare(a, b)).toBe(0);
  });

  it("have edge chunks without filters, recognised by their position", () => {
    const path = files.path("plain_edges.nc");
    const source = Source.open(path);
    const plan = indexFile(path).arrays.get("v");
    if (plan === undefined) throw new Error("no v");
    const { masks } = source.chunkTable(plan.variable);
    source.close();
    expect([...(masks ?? [])]).toEqual([0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3, 3, 3, 3, 3]);
  });
});

/** The values of chunk 1.1.1, decoded. */
async function readAll(path: string, variable: string): Promise<Uint8Array> {
  const plan = indexFile(path).arrays.get(variable);
  if (plan === undefined) throw new Error(`no ${variable}`);
  const source = Source.open(path);
  try {
    const tools = { table: source.chunkTable(plan.variable), decoder: undefined };
    return renderChunk(source, { ...plan, codecs: [] }, [1, 1, 1], tools);
  } finally {
    source.close();
  }
}

describe("a chunk that passes through", () => {
  it.each([
    ["filters.nc", 10],
    ["masks.nc", 1],
    ["plain_edges.nc", 1],
    ["index_earliest.nc", 8],
  ])("has bytewise the decoded values, for every stored chunk of %s", async (name, least) => {
    const path = files.path(name);
    const decoder = await loadHdf5Decoder();
    // All chunks of a file by one reader, which is otherwise one order's.
    const source = Source.open(path, undefined, { time: 200_000 });
    let arrays = 0;
    for (const plan of indexFile(path).arrays.values()) {
      const { storage } = plan.variable;
      if (storage.kind !== "chunked" || !plan.isStoredChunk) continue;
      const native = storage.filters.every(({ id }) => id <= 3);
      const table = source.chunkTable(plan.variable);
      const stored = findChunk(table, 0);
      if (stored === undefined || stored.mask !== 0) continue;
      arrays += 1;
      const place = plan.variable.shape.map(() => 0);
      const raw = await readFile(path).then((all) =>
        all.subarray(stored.offset, stored.offset + stored.size),
      );
      const { chunk, elementSize } = storage.chunks;
      const { filters } = storage;
      // HDF5's own decoding of the bytes that are sent, and ours of the same chunk.
      const theirs = decoder.decode({
        stored: raw,
        mask: 0,
        chunk,
        elementSize,
        filters,
      });
      const decoded = { ...plan, codecs: [], isChecked: false };
      const ours = renderChunk(source, decoded, place, { table, decoder });
      expect(Buffer.compare(ours, theirs), plan.path).toBe(0);
      if (!native) continue;
      expect(Buffer.compare(undoFilters(raw, filters, theirs.length), theirs), plan.path).toBe(0);
    }
    source.close();
    expect(arrays).toBeGreaterThanOrEqual(least);
  });
});

it("a chunk that does not fit its checksum is refused, and others are not", async () => {
  const path = files.path("damaged_checks.nc");
  await copyFile(files.path("filters.nc"), path);
  for (const name of ["checked", "gzip_checked"]) {
    const plan = indexFile(path).arrays.get(name);
    if (plan === undefined) throw new Error(name);
    const source = Source.open(path);
    const stored = findChunk(source.chunkTable(plan.variable), 0);
    source.close();
    const handle = await openFile(path, "r+");
    await handle.write(Uint8Array.of(0x5a), 0, 1, (stored?.offset ?? 0) + 200);
    await handle.close();
    const dataset = await open("damaged_checks.nc");
    await expect(dataset.content(`${name}/0.0`), name).rejects.toMatchObject({
      kind: "damaged-file",
    });
    expect((await dataset.content(`${name}/0.1`)).kind).toBe("bytes");
  }
});

it("leaves out variables whose values lie in other files, and names them with the reason", async () => {
  const dataset = await open("elsewhere.nc");
  const keys = await keysOf("elsewhere.nc");
  expect(keys).toContain("here/.zarray");
  expect(keys).not.toContain("external/.zarray");
  expect(keys).not.toContain("virtual/.zarray");
  expect((await dataset.content("here/0")).kind).not.toBe("absent");
  const attributes = await dataset.content(".zattrs");
  expect(attributes.kind === "document" && JSON.parse(attributes.text)._left_out).toEqual([
    "external: Its values lie in other files.",
    "virtual: It is a virtual dataset: its values lie in others, or in other files.",
  ]);
  expect(await keysOf("links.nc")).not.toContain("outside/.zarray");
});

it("links within a file are followed without loops", async () => {
  const dataset = await open("links.nc");
  const keys = await keysOf("links.nc");
  expect(keys).toEqual(
    expect.arrayContaining(["soft/.zarray", "below/v/.zarray", "again/v/.zarray"]),
  );
  expect(keys.filter((key) => key.includes("loop"))).toEqual([]);
  const content = await dataset.content("committed/0");
  expect(new Float64Array((await bytesOf(content)).slice().buffer)).toEqual(
    Float64Array.of(0, 1, 2, 3),
  );
});

it.each(["committed_earliest.nc", "committed_latest.nc"])(
  "committed types of variables and attributes in %s are resolved",
  async (name) => {
    expect(await attributes(name)).toBe('{"of_type":2.5}');
    expect(await attributes(name, "numbers/")).toContain('"text_of_type":"ö"');
    expect(await array(name, "numbers")).toMatchObject({ dtype: ">f8" });
    const dataset = await open(name);
    const numbers = Buffer.from(await bytesOf(await dataset.content("numbers/0")));
    const values = Array.from({ length: 10 }, (_, i) => i);
    expect(values.map((i) => numbers.readDoubleBE(8 * i))).toEqual(values);
    const texts = Buffer.from(await bytesOf(await dataset.content("texts/0")));
    expect(texts.readUInt32LE(0)).toBe(10);
    expect(texts.toString("utf8")).toContain("9 ä");
  },
);

it("a group with a compressed list of members is named as left out, not shown without them", async () => {
  const dataset = await open("filtered_links.h5");
  const attributes = JSON.parse((await dataset.document(".zattrs")) ?? "{}");
  expect(attributes._left_out).toContain("group: HDF5 heaps with filters are not read.");
  expect(await dataset.document("group/.zgroup")).toBeUndefined();
});
