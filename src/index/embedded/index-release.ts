/** Records the release that an embedded index needs. An earlier one could only report that Solr does not start. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { readManifest } from "../../platform/package-root.js";
import { GENERATION } from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";

const record = z.object({ generation: z.int(), release: z.string() });

const pathOf = (dataDir: string): string => join(resolve(dataDir), "solr", "index.json");

/** Records that the index of a data folder is of this release's generation. */
export async function recordRelease(dataDir: string): Promise<void> {
  const known = await read(dataDir);
  if (known !== undefined && known.generation >= GENERATION) return;
  await makePrivateFolder(join(resolve(dataDir), "solr"));
  const { version: release } = readManifest();
  await writePrivateFile(
    pathOf(dataDir),
    `${JSON.stringify({ generation: GENERATION, release })}\n`,
  );
}

/** @throws SetupError if the index of a data folder is of a later generation */
export async function requireReadable(dataDir: string): Promise<void> {
  const known = await read(dataDir);
  if (known === undefined || known.generation <= GENERATION) return;
  const { version } = readManifest();
  throw new SetupError(
    `The index in ${resolve(dataDir)} is of climate-nextgen ${known.release} (index generation ${known.generation}); this is release ${version}, which reads generation ${GENERATION}. Start release ${known.release} or a later one.`,
  );
}

async function read(dataDir: string): Promise<z.infer<typeof record> | undefined> {
  try {
    return record.parse(JSON.parse(await readFile(pathOf(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}
