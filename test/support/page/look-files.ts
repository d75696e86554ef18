/** The ten files of a first look (look_files.py): one of each kind that maps draw differently. */
import { join } from "node:path";
import { beforeAll } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../programs/python.js";
import { freshFolder } from "../run/folders.js";
import type { TestDocument } from "../service/service.js";
import { usePerson, useService } from "../service/use-service.js";

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
}

/**
 * Makes them in a folder of their own, for a service that has them, and a user of it. A file with such tests needs Python (needs.ts).
 *
 * @param facets of the index entry of a file
 */
export function useLookFiles(facets: (file: string) => Partial<TestDocument> = () => ({})) {
  const folder = freshFolder();
  const files: LookFiles = { folder, path: (file) => join(folder, file) };
  beforeAll(() => runPython([packagePath("test", "support", "page", "look_files.py"), folder]));
  const documents = LOOK_FILES.map(({ file }) => ({ ...facets(file), file: files.path(file) }));
  const service = useService({ dataRoots: [folder], documents });
  return { files, service, user: usePerson(service) };
}
