/** The ten files of a first look (look_files.py): one of each kind that maps draw differently. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../programs/python.js";
import { emptyIndex, load, startService, type TestDocument } from "../service/service.js";
import { addUser, signIn } from "../service/sign-in.js";

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
  await runPython([packagePath("test", "support", "page", "look_files.py"), folder]);
  return {
    folder,
    path: (file) => join(folder, file),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * A service whose index has these files, and a user of it with a token.
 *
 * @param facets of the index entry of a file
 */
export async function startLook(facets: (file: string) => Partial<TestDocument> = () => ({})) {
  const files = await makeLookFiles();
  const service = await startService({ dataRoots: [files.folder] });
  await emptyIndex(service.solr);
  await load(
    service.solr,
    LOOK_FILES.map(({ file }) => ({ ...facets(file), file: files.path(file) })),
  );
  const { name } = await addUser(service.dataDir);
  const { access_token: token } = await signIn(service, name);
  const close = async (): Promise<void> => {
    await service.close();
    await files.remove();
  };
  return { files, service, name, token, close };
}
