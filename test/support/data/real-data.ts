/**
 * Files of real archives, which are not part of this package: a folder `shared/data` beside it or above it. Tests that
 * use them are skipped where they are missing.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.js";

function find(): string | undefined {
  for (let folder = packageRoot(); dirname(folder) !== folder; folder = dirname(folder)) {
    const data = join(dirname(folder), "shared", "data");
    if (existsSync(join(data, "netcdf"))) return data;
  }
  return undefined;
}

export const REAL_DATA = find();
