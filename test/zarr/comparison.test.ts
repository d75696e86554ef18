/** Data served as zarr equals what xarray reads from the file itself. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../src/package-root.js";
import { runPython } from "../support/python.js";
import { engineOf, makeFiles, netcdfFilesBelow, sharedPath, type TestFiles } from "./files.js";
import { serveZarr, type ZarrServer } from "./server.js";

/** Every difference that is allowed, and why. */
const ALLOWED: readonly { readonly difference: RegExp; readonly why: string }[] = [
  {
    difference: /^elsewhere\.nc: (external|virtual) only in file$/,
    why: "values that lie in other files are left out: they may be outside the roots",
  },
  {
    difference: /^cf_monthly\.nc: prf (dtype float32 float64|values)$/,
    why: "JSON has no float32 attributes: xarray unpacks with scale_factor in double precision",
  },
  {
    difference: /^compound\.nc: comp dtype /,
    why: "zarr v2 has no padding within structures; names and values are the same",
  },
  {
    difference: /^missing\.nc: nofill values$/,
    why: "nobody wrote these values and the file has no fill value: netCDF-C gives what is in memory",
  },
  {
    difference: /^vlen\.nc: vl only in file$/,
    why: "numcodecs has no codec for sequences of variable length that zarr 3 reads",
  },
  {
    difference: /^h5n_types\.nc: fixs dtype \|S6 /,
    why: "text, as netCDF-C gives it; h5netcdf, which the file needs, gives bytes",
  },
];

interface Comparison {
  readonly variables: number;
  readonly differences: readonly string[];
}

let server: ZarrServer;
let folder: string;

async function compare(
  files: readonly string[],
  engine: (file: string) => string = () => "netcdf4",
): Promise<Comparison> {
  const pairs = files.map((file) => ({ file, url: server.address(file), engine: engine(file) }));
  const list = join(folder, "pairs.json");
  await writeFile(list, JSON.stringify(pairs));
  const text = await runPython([packagePath("test", "zarr", "compare.py"), list]);
  return JSON.parse(text) as Comparison;
}

const unexpected = ({ differences }: Comparison): string[] =>
  differences.filter((text) => !ALLOWED.some(({ difference }) => difference.test(text)));

beforeAll(async () => {
  server = await serveZarr();
  folder = await mkdtemp(join(tmpdir(), "climate-compare-"));
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe("xarray reads from zarr what it reads from the file", () => {
  let files: TestFiles | undefined;
  afterAll(async () => files?.remove());

  it("of the kinds that make_files.py makes", { timeout: 300_000 }, async () => {
    files = await makeFiles();
    const odd = ["empty.nc", "links.nc"];
    const paths = netcdfFilesBelow(files.path("")).filter((path) => !odd.includes(basename(path)));
    expect(paths.length).toBeGreaterThan(20);
    const found = await compare(paths, engineOf);
    expect(unexpected(found)).toEqual([]);
    expect(found.variables).toBeGreaterThan(700);
    expect(server.failures).toEqual([]);
  });

  it("of existing zarr stores, passed through", async () => {
    if (files === undefined) throw new Error("no files");
    const urls = ["v2.zarr", "v3.zarr"].map((name) => files?.path(name) ?? "");
    const script = `
import sys, xarray as xr
for path, url in zip(sys.argv[1::2], sys.argv[2::2]):
    assert xr.open_zarr(path).load().identical(xr.open_zarr(url).load()), path
print("same")`;
    const args = urls.flatMap((path) => [path, server.address(path)]);
    expect(await runPython(["-c", script, ...args])).toBe("same\n");
  });

  const sample = packagePath("data", "files");
  it("of the sample catalogue", { timeout: 300_000 }, async () => {
    const found = await compare(netcdfFilesBelow(sample));
    expect(unexpected(found)).toEqual([]);
    expect(found.variables).toBeGreaterThan(100);
  });

  const real = sharedPath("data", "netcdf");
  it.skipIf(real === undefined)("of real files (../shared)", { timeout: 300_000 }, async () => {
    const found = await compare(netcdfFilesBelow(real ?? ""));
    expect(unexpected(found)).toEqual([]);
    expect(found.variables).toBeGreaterThan(50);
  });

  const generator = sharedPath("zarr", "make_files.py");
  it.skipIf(generator === undefined)(
    "of the kinds that ../shared makes",
    { timeout: 300_000 },
    async () => {
      const kinds = "cf_monthly xr_written groups filters nc3 missing dims types".split(" ");
      const made = join(folder, "shared");
      await runPython([generator ?? "", made, ...kinds]);
      const isH5netcdf = (file: string): boolean => basename(file) === "h5n_types.nc";
      const found = await compare(netcdfFilesBelow(made), (file) =>
        isH5netcdf(file) ? "h5netcdf" : "netcdf4",
      );
      expect(unexpected(found)).toEqual([]);
      expect(found.variables).toBeGreaterThan(300);
    },
  );
});
