/**
 * A core for an upgrade, made in an embedded Solr that may have been started by another release: it has a configset of
 * its own, as those that this Solr reads are of who started it.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { configsetOf, GENERATION } from "../collections/configset.js";
import { CONFIGSET_FILES, configsetFile } from "../migration/configset-upload.js";

/** Folders that are made here: the collection's name, its generation, and something that no other has. */
const UPGRADE_FOLDER = /^(files|latest)_g(\d+)_[0-9a-f]{8}$/;

/** The same, and those that a first start makes. */
const KEPT_FOLDER = /^(?:files|latest)(?:_g\d+)?(?:_[0-9a-f]{8})?$/;

/** The collection that a folder was made for, and its generation; undefined where it was not made here. */
export function upgradeOf(
  folder: string,
): { readonly name: string; readonly generation: number } | undefined {
  const [, name, generation] = UPGRADE_FOLDER.exec(folder) ?? [];
  return name === undefined ? undefined : { name, generation: Number(generation) };
}

/** Makes the folder of a core, with this release's configset. @returns what Solr is to be told of it */
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

/** Folders of former indexes, which no core has any more. */
export async function keptFolders(home: string): Promise<readonly string[]> {
  const names = (await readdir(home)).filter((name) => KEPT_FOLDER.test(name));
  const kept = await Promise.all(
    names.map(async (name) => {
      const entries = await readdir(join(home, name)).catch((): string[] => []);
      return entries.includes("data") && !entries.includes("core.properties");
    }),
  );
  return names.filter((_, at) => kept[at]).map((name) => join(home, name));
}

/** Takes away folders that never became a core. */
async function sweep(home: string): Promise<void> {
  for (const folder of await readdir(home)) {
    if (upgradeOf(folder) === undefined) continue;
    const entries = await readdir(join(home, folder));
    if (entries.every((entry) => entry === "conf")) {
      await rm(join(home, folder), { recursive: true, force: true });
    }
  }
}
