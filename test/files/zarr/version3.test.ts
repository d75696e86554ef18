/** Documents of zarr v3 from those of v2. */
import { describe, expect, it } from "vitest";
import { arrayDocument, groupDocument } from "../../../src/files/zarr/version3/documents.js";

const ZARRAY = {
  zarr_format: 2,
  shape: [3, 4],
  chunks: [1, 4],
  dtype: "<f4",
  fill_value: null,
  order: "C",
  filters: null,
  compressor: null,
};

interface Document {
  readonly data_type: unknown;
  readonly fill_value: unknown;
  readonly codecs: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const converted = (array: object, attributes = "{}"): Document | undefined => {
  const text = arrayDocument(JSON.stringify({ ...ZARRAY, ...array }), attributes);
  return text === undefined ? undefined : (JSON.parse(text) as Document);
};

const base64 = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString("base64");
};

describe("zarr.json of an array", () => {
  it.each([
    ["|i1", "int8", { name: "bytes" }],
    ["<i8", "int64", { name: "bytes", configuration: { endian: "little" } }],
    [">f4", "float32", { name: "bytes", configuration: { endian: "big" } }],
    ["<c16", "complex128", { name: "bytes", configuration: { endian: "little" } }],
    [
      "|S3",
      { name: "null_terminated_bytes", configuration: { length_bytes: 3 } },
      { name: "bytes" },
    ],
  ])("has the type and the byte order of %s", (dtype, type, codec) => {
    const found = converted({ dtype });
    expect(found?.data_type).toEqual(type);
    expect(found?.codecs).toEqual([codec]);
  });

  it.each([
    [
      { id: "zlib", level: 4 },
      { name: "numcodecs.zlib", configuration: { level: 4 } },
    ],
    [
      { id: "gzip", level: 4 },
      { name: "gzip", configuration: { level: 4 } },
    ],
    [
      { id: "zstd", level: 3 },
      { name: "zstd", configuration: { level: 3, checksum: false } },
    ],
    [
      { id: "blosc", cname: "zstd", clevel: 5, shuffle: 1, blocksize: 0 },
      {
        name: "blosc",
        configuration: { typesize: 4, cname: "zstd", clevel: 5, shuffle: "shuffle", blocksize: 0 },
      },
    ],
  ])("decodes the bytes of %j after shuffling", (compressor, codec) => {
    const filters = [{ id: "shuffle", elementsize: 4 }];
    expect(converted({ filters, compressor })?.codecs).toEqual([
      { name: "bytes", configuration: { endian: "little" } },
      { name: "numcodecs.shuffle", configuration: { elementsize: 4 } },
      codec,
    ]);
  });

  it.each([
    ["<f4", "1.0000000200408773e+20", 1.0000000200408773e20, base64(1.0000000200408773e20)],
    ["<f8", '"NaN"', "NaN", base64(Number.NaN)],
    ["<f8", '"-Infinity"', "-Infinity", base64(Number.NEGATIVE_INFINITY)],
    ["<i2", "-32767", -32767, -32767],
  ])(
    "has the fill value for %s: %s, and _FillValue as xarray reads it",
    (dtype, text, fill, attribute) => {
      const array = JSON.stringify({ ...ZARRAY, dtype }).replace(
        '"fill_value":null',
        `"fill_value":${text}`,
      );
      const found = JSON.parse(arrayDocument(array) ?? "") as Document;
      expect(found.fill_value).toEqual(fill);
      expect(found.attributes._FillValue).toEqual(attribute);
    },
  );

  it("keeps all digits of integers and the points of numbers", () => {
    const array = JSON.stringify({ ...ZARRAY, dtype: "<i8" });
    const fill = '"fill_value":-9223372036854775806';
    const text = arrayDocument(
      array.replace('"fill_value":null', fill),
      '{"a":1.0,"b":9223372036854775807,"c":NaN,"_ARRAY_DIMENSIONS":["y","x"]}',
    );
    for (const part of [
      fill,
      '"_FillValue":-9223372036854775806',
      '"a":1.0',
      "9223372036854775807",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('"c":NaN');
    expect(text).toContain('"dimension_names":["y","x"]');
    expect(text).not.toContain("_ARRAY_DIMENSIONS");
  });

  it("has NaN without a fill value, or _FillValue", () => {
    expect(converted({})?.fill_value).toBe("NaN");
    expect(converted({}, '{"_FillValue":-1.0}')).toMatchObject({
      fill_value: -1,
      attributes: { _FillValue: base64(-1) },
    });
    expect(converted({ dtype: "<i4" })?.fill_value).toBe(0);
    // xarray raises on these: masks stay, in the attribute that it reads.
    const list = converted({}, '{"_FillValue":[1.0,2.0]}');
    expect(list?.attributes).toEqual({ missing_value: [1, 2] });
  });

  it.each(["-9999.0", "-9.999e3"])("has the integer that the _FillValue %s means", (text) => {
    const expected = { fill_value: -9999, attributes: { _FillValue: -9999 } };
    expect(converted({ dtype: "<i2" }, `{"_FillValue":${text}}`)).toMatchObject(expected);
    const array = JSON.stringify({ ...ZARRAY, dtype: "<i2" });
    const document = arrayDocument(array.replace('"fill_value":null', `"fill_value":${text}`));
    expect(document).toContain('"fill_value":-9999,');
    expect(document).toContain('"_FillValue":-9999}');
  });

  it.each([
    ["|u1", "false", 255, 255, -1],
    ["|u1", "false", -1, 255, -1],
    ["|u1", "false", 7, 7, 7],
    ["|u1", "true", 255, 255, 255],
    ["|i1", "true", 255, -1, -1],
    ["|i1", "true", -1, -1, -1],
    ["<i2", "true", 65535, -1, -1],
    [">u2", "false", -2, 65534, -2],
  ])("has fill values as xarray casts them: %s, _Unsigned %s, %i", (dtype, sign, ...values) => {
    const [given, fill, attribute] = values;
    const attributes = JSON.stringify({ _FillValue: given, _Unsigned: sign });
    expect(converted({ dtype }, attributes)).toMatchObject({
      fill_value: fill,
      attributes: { _FillValue: attribute },
    });
  });

  it.each([
    ["|i1", "true", "256"],
    ["|i1", "false", "255"],
    ["|u1", "false", "-129"],
    ["|u1", "true", "-1"],
  ])("has no _FillValue that neither sign has: %s, _Unsigned %s, %s", (dtype, sign, fill) => {
    const found = converted({ dtype }, `{"_FillValue":${fill},"_Unsigned":"${sign}"}`);
    expect(found?.attributes).toEqual({ _Unsigned: sign });
  });

  it.each(["1e20", "0.5", "-32769.0", "65535"])(
    "has no _FillValue for an int16 that cannot be %s",
    (text) => {
      const found = converted({ dtype: "<i2" }, `{"_FillValue":${text}}`);
      expect(found?.fill_value).toBe(0);
      expect(found?.attributes).toEqual({});
    },
  );

  it.each([
    [{ dtype: "|O", filters: [{ id: "pickle" }] }],
    [{ dtype: "|O" }],
    [{ compressor: { id: "no-such-codec" } }],
    [{ dtype: "<x9" }],
    [
      {
        dtype: [
          ["a", "<f4"],
          ["b", ">f4"],
        ],
      },
    ],
    [{ filters: [{ id: "zlib" }, { id: "delta", dtype: "<f4" }] }],
  ])("does not exist for %j", (array) => {
    expect(converted(array)).toBeUndefined();
  });
});

describe("zarr.json of a group", () => {
  it("contains everything below, with the groups above, and names what v3 cannot express", () => {
    const metadata = {
      ".zgroup": { zarr_format: 2 },
      ".zattrs": { title: "all" },
      "a/b/x/.zarray": ZARRAY,
      "a/b/y/.zarray": { ...ZARRAY, compressor: { id: "no-such-codec" } },
    };
    const text = groupDocument(JSON.stringify({ metadata, zarr_consolidated_format: 1 }));
    const root = JSON.parse(text) as {
      readonly attributes: object;
      readonly consolidated_metadata: { readonly metadata: Record<string, Document> };
    };
    const { metadata: nodes } = root.consolidated_metadata;
    expect(root.attributes).toEqual({ title: "all" });
    expect(Object.keys(nodes)).toEqual(["a", "a/b", "a/b/x"]);
    expect(nodes["a/b"]?.attributes._left_out).toEqual([
      "y: zarr v3 has no data type or codec for it",
    ]);
  });

  it.each(["", "[]", '{"metadata":', '{"metadata":{"x/.zarray":3}}'])(
    "is refused for %j",
    (text) => {
      expect(() => groupDocument(text)).toThrow(/JSON|object/);
    },
  );
});
