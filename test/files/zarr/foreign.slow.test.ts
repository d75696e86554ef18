/** Files of other programs as zarr clients read them: the values that netCDF-C and HDF5 give, or a name among what is left out. */
import { readdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { sharedPath } from "./files.js";
import { serveZarr, type ZarrServer } from "./server.js";

interface Comparison {
  readonly zarr: string;
  readonly files: Readonly<Record<string, "equal" | "differs" | "refused" | "unread">>;
  readonly variables: number;
  readonly leftOut: number;
  readonly differences: readonly string[];
}

/** Every difference that is allowed, and why. */
const ALLOWED: readonly { readonly difference: RegExp; readonly why: string }[] = [
  {
    difference: /^netcdf-c-4-f03tst_open_mem\.nc: var2 has other values$/,
    why: "nobody wrote these values and the file has no fill value: netCDF-C gives what is in memory",
  },
];

/** Files of other projects beside the checkout; they are not part of this one. */
const shared = sharedPath("foreign", "files");

const folder = freshFolder();
let server: ZarrServer;

beforeAll(async () => {
  await runPython([packagePath("test", "files", "netcdf", "foreign_files.py"), folder]);
  server = await serveZarr();
});

afterAll(() => server.close());

describe.each([
  { client: "zarr-python 3", python: "data", version: 2 },
  { client: "zarr-python 3, as zarr v3", python: "data", version: 3 },
  { client: "zarr-python 2", python: "zarr2", version: 2 },
] as const)("$client reads files of other programs as netCDF-C", ({ client, python, version }) => {
  async function compare(below: string): Promise<Comparison> {
    const pairs = readdirSync(below).map((name) => {
      const file = join(below, name);
      return { file, url: server.address(file, version), version };
    });
    const list = join(folder, "..", `climate-foreign-pairs-${process.pid}.json`);
    await writeFile(list, JSON.stringify(pairs));
    const script = packagePath("test", "files", "zarr", "foreign.py");
    const found = JSON.parse(await runPython([script, list], pythonOf(python))) as Comparison;
    await rm(list);
    expect(found.zarr.split(".")[0]).toBe(/ (\d)/.exec(client)?.[1]);
    return found;
  }

  const unexpected = ({ differences }: Comparison): string[] =>
    differences.filter((text) => !ALLOWED.some(({ difference }) => difference.test(text)));

  it("has the values of the files that the tests make", { timeout: 600_000 }, async () => {
    const found = await compare(folder);
    expect(unexpected(found)).toEqual([]);
    expect(found.variables).toBeGreaterThan(300);
  });

  it.skipIf(shared === undefined)(
    "has the values of the files of ../shared/foreign",
    { timeout: 600_000 },
    async () => {
      const found = await compare(shared ?? "");
      console.info(`${client}: ${found.variables} variables, ${found.leftOut} left out`);
      expect(unexpected(found)).toEqual([]);
      expect(found.variables).toBeGreaterThan(2800);
    },
  );
});
