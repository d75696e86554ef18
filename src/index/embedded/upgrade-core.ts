/**
 * The core of an upgrade, in an embedded Solr that may have been started by another release. The core has its own
 * configset, because this Solr reads the configsets of that release.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { configsetOf, GENERATION } from "../collections/configset.js";
import { CONFIGSET_FILES, configsetFile } from "../migration/configset-upload.js";

/** Names of the folders: the collection, its generation and a random suffix. */
const UPGRADE_FOLDER = /^(files|latest)_g(\d+)_[0-9a-f]{8}$/;

/** Names of these folders and of those that a first start makes. */
const INDEX_FOLDER = /^(?:files|latest)(?:_g\d+)?(?:_[0-9a-f]{8})?$/;

/** The collection and generation of a folder; undefined if it is not of an upgrade. */
export function upgradeOf(
  folder: string,
): { readonly name: string; readonly generation: number } | undefined {
  const [, name, generation] = UPGRADE_FOLDER.exec(folder) ?? [];
  return name === undefined ? undefined : { name, generation: Number(generation) };
}

/** Makes the folder of a core, with this release's configset. @returns the parameters of Solr's CREATE command */
export async function makeUpgradeFolder(
  home: string,
  core: string,
): Promise<Readonly<Record<string, string>>> {
  await sweep(home);
  const name = core.replace(/_upgrade$/, "");
  const folder = join(home, `${name}_g${GENERATION}_${randomBytes(4).toString("hex")}`);
  await makePrivateFolder(join(folder, "conf"));
  for (const file of CONFIGSET_FILES) {
    const text = await readFile(configsetFile(configsetOf(name), file), "utf8");
    await writePrivateFile(join(folder, "conf", file), text);
  }
  return { instanceDir: folder };
}

/** Folders of former indexes, which no core uses. */
export async function formerIndexFolders(home: string): Promise<readonly string[]> {
  const names = (await readdir(home)).filter((name) => INDEX_FOLDER.test(name));
  const isFormer = await Promise.all(
    names.map(async (name) => {
      const entries = await readdir(join(home, name)).catch((): string[] => []);
      return entries.includes("data") && !entries.includes("core.properties");
    }),
  );
  return names.filter((_, at) => isFormer[at]).map((name) => join(home, name));
}

/** Removes folders that never became a core. */
async function sweep(home: string): Promise<void> {
  for (const folder of await readdir(home)) {
    if (upgradeOf(folder) === undefined) continue;
    const entries = await readdir(join(home, folder));
    if (entries.every((entry) => entry === "conf")) {
      await rm(join(home, folder), { recursive: true, force: true });
    }
  }
}
