/** The ten files of a first look (look_files.py): one of each kind that maps draw differently. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagePath } from "../../src/platform/package-root.js";
import { runPython } from "./python.js";

/** Of each file or store the variable that is looked at. */
export const LOOK_FILES = [
  { file: "regular.nc", variable: "tas" },
  { file: "rotated.nc", variable: "pr" },
  { file: "curvilinear.nc", variable: "thetao" },
  { file: "unstructured.nc", variable: "ua" },
  { file: "packed.nc", variable: "t2m" },
  { file: "longitudes360.nc", variable: "psl" },
  { file: "descending.nc", variable: "ta" },
  { file: "days360.nc", variable: "tas" },
  { file: "version3.zarr", variable: "tos" },
  { file: "big_chunks.nc", variable: "orog" },
] as const;

export interface LookFiles {
  readonly folder: string;
  path(file: string): string;
  remove(): Promise<void>;
}

/** Makes them in a folder of their own; a test that does needs Python (needs.ts). */
export async function makeLookFiles(): Promise<LookFiles> {
  const folder = await mkdtemp(join(tmpdir(), "climate-look-"));
  await runPython([packagePath("test", "support", "look_files.py"), folder]);
  return {
    folder,
    path: (file) => join(folder, file),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
