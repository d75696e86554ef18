/** Data served as zarr equals what xarray reads from the file itself. */
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import {
  engineOf,
  filesForClients,
  makeFiles,
  netcdfFilesBelow,
  STORES,
  sharedPath,
} from "./files.js";
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
    why: "zarr v2 has no padding within structures, and zarr-python 3 no arrays in them; values are the same",
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
    difference: /^(elsewhere|vlen)\.nc: @_left_out None \['/,
    why: "what is left out is named",
  },
  {
    difference: /^h5n_types\.nc: fixs dtype \|S6 /,
    why: "text, as netCDF-C gives it; h5netcdf, which the file needs, gives bytes",
  },
];

/** The same for zarr v3. */
const ALLOWED_3: typeof ALLOWED = [
  {
    difference:
      /^(awkward\.nc: hole_S1|texts\.nc: letters)(@_FillValue .* None| dtype object .*| values)$/,
    why: "xarray refuses an array of characters with a _FillValue in zarr v3",
  },
];

interface Comparison {
  /** The version of zarr-python. */
  readonly zarr: string;
  readonly variables: number;
  readonly differences: readonly string[];
}

let server: ZarrServer;
const folder = freshFolder();

const unexpected = ({ differences }: Comparison, version: number): string[] => {
  const allowed = version === 3 ? [...ALLOWED, ...ALLOWED_3] : ALLOWED;
  return differences.filter((text) => !allowed.some(({ difference }) => difference.test(text)));
};

const sample = packagePath("data", "files");
const real = attempts(undefined, sharedPath("data", "netcdf"));
const generator = attempts(undefined, sharedPath("zarr", "make_files.py"));
const files = use(() => makeFiles());

beforeAll(async () => {
  server = await serveZarr();
  if (generator === undefined) return;
  const kinds = "cf_monthly xr_written groups filters nc3 missing dims types".split(" ");
  await runPython([generator, join(folder, "shared"), ...kinds]);
}, 600_000);

afterAll(() => server.close());

describe.each([
  {
    client: "zarr-python 3",
    python: "data",
    version: 2,
    stores: [...STORES[2], ...STORES[3]],
  },
  {
    client: "zarr-python 3, as zarr v3",
    python: "data",
    version: 3,
    stores: [...STORES[2], ...STORES[3]],
  },
  {
    client: "zarr-python 2",
    python: "zarr2",
    version: 2,
    stores: STORES[2],
  },
] as const)("xarray with $client", (with_) => {
  let interpreter = "";
  beforeAll(() => {
    interpreter = pythonOf(with_.python);
  }, 600_000);

  async function compare(
    paths: readonly string[],
    engine: (file: string) => string = () => "netcdf4",
  ): Promise<Comparison> {
    const pairs = paths.map((file) => ({
      file,
      url: server.address(file, with_.version),
      engine: engine(file),
      version: with_.version === 3 ? 3 : null,
    }));
    const list = join(folder, "pairs.json");
    await writeFile(list, JSON.stringify(pairs));
    const script = packagePath("test", "files", "zarr", "compare.py");
    const result = JSON.parse(await runPython([script, list], interpreter)) as Comparison;
    const [, major] = /^zarr-python (\d)/.exec(with_.client) ?? [];
    expect(result.zarr.split(".")[0]).toBe(major);
    return result;
  }

  it("reads the values of the file from zarr: the kinds of make_files.py", {
    timeout: 300_000,
  }, async () => {
    const paths = filesForClients(files);
    const found = await compare(paths, engineOf);
    expect(unexpected(found, with_.version)).toEqual([]);
    expect(found.variables).toBeGreaterThan(attempts(30, 1200));
    expect(server.failures).toEqual([]);
  });

  it("masks integers by fill values of other types and signs as in the file", async () => {
    const made = await makeFiles("signs");
    const found = await compare([made.path("signs.nc")]);
    // The attribute itself is of the type, or of the signed one.
    const values = found.differences.filter((text) => !text.includes("@_FillValue "));
    expect(values).toEqual([]);
    expect(found.variables).toBeGreaterThan(20);
    expect(server.failures).toEqual([]);
  });

  it("pads a variable that ends before its dimension, and names a longer one", async () => {
    const made = await makeFiles("resizable");
    const found = await compare([made.path("resizable.nc")], () => "h5netcdf");
    const others = found.differences.filter(
      (text) => !/: (long only in file|@_left_out )/.test(text),
    );
    expect(others).toEqual([]);
    expect(found.differences.length - others.length).toBe(2);
    expect(found.variables).toBeGreaterThan(8);
    expect(server.failures).toEqual([]);
  });

  it("reads the values of existing zarr stores, with and without consolidated metadata", async () => {
    const paths = with_.stores.map((name) => files.path(name));
    const found = await compare(paths, () => "zarr");
    expect(unexpected(found, with_.version)).toEqual([]);
    expect(found.variables).toBeGreaterThan(5 * paths.length);
    expect(server.failures).toEqual([]);
  });

  it("reads the values of the file from zarr: the sample catalogue", {
    timeout: 300_000,
  }, async () => {
    const found = await compare(netcdfFilesBelow(sample));
    expect(unexpected(found, with_.version)).toEqual([]);
    expect(found.variables).toBeGreaterThan(100);
  });

  it.skipIf(real === undefined)(
    "reads the values of the file from zarr: real files (../shared)",
    { timeout: 300_000 },
    async () => {
      const found = await compare(netcdfFilesBelow(real ?? ""));
      expect(unexpected(found, with_.version)).toEqual([]);
      expect(found.variables).toBeGreaterThan(50);
    },
  );

  const itMade = it.skipIf(generator === undefined);
  itMade("of the kinds that ../shared makes", { timeout: 300_000 }, async () => {
    const isH5netcdf = (file: string): boolean => basename(file) === "h5n_types.nc";
    const found = await compare(netcdfFilesBelow(join(folder, "shared")), (file) =>
      isH5netcdf(file) ? "h5netcdf" : "netcdf4",
    );
    expect(unexpected(found, with_.version)).toEqual([]);
    expect(found.variables).toBeGreaterThan(300);
  });
});
