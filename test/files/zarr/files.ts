/** The files the tests read: made once a run, of many kinds. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, SEED } from "../../support/run/trials.js";

export interface TestFiles {
  path(name: string): string;
}

/** @param kinds functions of make_files.py */
export async function makeFiles(...kinds: string[]): Promise<TestFiles> {
  const folder = freshFolder();
  await runPython([packagePath("test", "files", "zarr", "make_files.py"), folder, ...kinds]);
  return {
    path: (name) => join(folder, name),
  };
}

/** Material beside the checkout that is not part of the project; undefined where it is missing. */
export function sharedPath(...parts: string[]): string | undefined {
  const path = packagePath("..", "shared", ...parts);
  return existsSync(path) ? path : undefined;
}

export function netcdfFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".nc"))
    .map((name) => join(folder, name))
    .sort();
}

/** Files that netCDF-C refuses, and h5netcdf reads. */
const H5NETCDF = ["filters.nc", "types.nc", "dense.nc", "old.nc", "beyond.nc"];

/** Files for other tests: empty, of links, and of types that no engine of xarray opens. */
const ODD = ["empty.nc", "links.nc", "committed_earliest.nc", "committed_latest.nc"];

/** Those of the files that make_files.py makes that xarray reads. */
function filesForXarray(files: TestFiles): string[] {
  return netcdfFilesBelow(files.path("")).filter((path) => !ODD.includes(basename(path)));
}

/** Those of them that are there for how a file stores its chunks, of which a client of what is served sees nothing. */
const STORAGE = /^(index_|many_chunks|dense|shared_|format_|old|small_)/;

/** What clients read: all files, or in a short run a third of those of many types, names and shapes, another each time. */
export function filesForClients(files: TestFiles): string[] {
  const all = filesForXarray(files);
  const various = all.filter((path) => !STORAGE.test(basename(path)));
  return attempts(
    various.filter((_, index) => index % 3 === SEED % 3),
    all,
  );
}

/** The engine with which xarray opens one of the files that make_files.py makes. */
export function engineOf(path: string): "netcdf4" | "h5netcdf" {
  return H5NETCDF.includes(basename(path)) ? "h5netcdf" : "netcdf4";
}

/** The stores that make_files.py makes, by the version of zarr. */
export const STORES = {
  2: ["v2.zarr", "bare2.zarr", "root2.zarr", "plain2.zarr"],
  3: ["v3.zarr", "bare3.zarr", "root3.zarr", "sharded3.zarr"],
} as const;
