/** Files of which not everything has a place in zarr: the rest is served, and what is not is named. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../../src/platform/package-root.js";
import { pythonOf, runPython } from "../../../support/programs/python.js";
import { use } from "../../../support/run/use.js";
import { makeFiles } from "../files.js";
import { serveZarr, type ZarrServer } from "../server.js";

interface Opened {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<
    Record<
      string,
      { readonly dtype?: string; readonly values?: unknown[]; readonly error?: string }
    >
  >;
}

const files = use(() => makeFiles("left_out", "names", "blosc"));
let server: ZarrServer;

beforeAll(async () => {
  server = await serveZarr();
});

afterAll(() => server.close());

describe.each([
  { client: "zarr-python 3", python: "data" },
  { client: "zarr-python 2", python: "zarr2" },
] as const)("xarray with $client", (with_) => {
  let interpreter = "";
  beforeAll(() => {
    interpreter = pythonOf(with_.python);
  }, 600_000);

  async function open(name: string): Promise<Opened> {
    const script = packagePath("test", "files", "zarr", "odd", "odd_files.py");
    const address = server.address(files.path(name));
    return JSON.parse(await runPython([script, address], interpreter)) as Opened;
  }

  it("reads the variables beside ragged arrays, long doubles and references, which are named", async () => {
    const { attributes, variables } = await open("left_out.nc");
    expect(attributes._left_out).toEqual([
      expect.stringMatching(/^long_double: .*IEEE 754/),
      expect.stringMatching(/^ragged: .*variable length/),
      expect.stringMatching(/^references: /),
    ]);
    expect(Object.keys(variables).sort()).toEqual(["plain", "structures", "x"]);
    expect(variables.plain?.values).toEqual([0, 1, 2, 3]);
  });

  it("reads a structure with an array and a structure in it", async () => {
    const { structures } = (await open("left_out.nc")).variables;
    expect(structures?.dtype).toContain(
      "('three[2]', '<f4'), ('inner.a', 'u1'), ('inner.b', '<f8')",
    );
    expect(structures?.values).toEqual([
      [0, 0, 1, 2, 0, 0.5],
      [1, 3, 4, 5, 0, 0.5],
      [2, 6, 7, 8, 0, 0.5],
      [3, 9, 10, 11, 0, 0.5],
    ]);
  });

  it("reads no zeros from variables whose names mean something in an address", async () => {
    const { attributes, variables } = await open("names.nc");
    const served = Object.entries(variables);
    const names = served.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining(["plain", "a%b", "a b", "a&b", "a+b", "ü", "tas [K]"]),
    );
    for (const [name, { values, error }] of served) {
      // fsspec, under zarr-python 2, looks for files of a pattern where a name has brackets.
      if (error === undefined) expect(values, name).toEqual([1, 2, 3, 4]);
      else expect(name).toBe("tas [K]");
    }
    const told = attributes._left_out as string[];
    expect(told.map((sentence) => sentence.replace(/: its name.*/, "")).sort()).toEqual([
      "%41",
      "a#b",
      "a%20b",
      "a?b",
      "a\\b",
      "g#h",
    ]);
  });

  it("reads Blosc with every compressor", async () => {
    const { variables } = await open("blosc.nc");
    const { lz4_1: expected } = variables;
    expect(expected?.values?.length).toBe(20);
    for (const [name, { values, error }] of Object.entries(variables)) {
      expect(error, name).toBeUndefined();
      if (name !== "zlib_f8") expect(values, name).toEqual(expected?.values);
    }
  });
});
