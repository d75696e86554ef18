/** Lays the index of a backup out as a new home of the embedded Solr, which is not running. */
import { chmod, copyFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../platform/private-files.js";
import { prepareCores } from "../embedded/cores.js";

/** Where Solr's replication handler, and so its backup of a core, keeps one by a name. */
const snapshotOf = (name: string): string => `snapshot.${name}`;

/**
 * The home that is there is replaced in one step, after the other one is whole.
 *
 * @param folder Solr's own, below the data folder
 * @param from what Solr wrote
 */
export async function layOutIndex(
  folder: string,
  from: string,
  names: readonly string[],
): Promise<void> {
  const [home, draft] = [join(folder, "home"), join(folder, "home.restored")];
  await rm(draft, { recursive: true, force: true });
  await makePrivateFolder(draft);
  await prepareCores(draft, names);
  for (const name of names) {
    const index = join(draft, name, "data", "index");
    await makePrivateFolder(index);
    for (const file of await readdir(join(from, snapshotOf(name)))) {
      await copyFile(join(from, snapshotOf(name), file), join(index, file));
      await chmod(join(index, file), 0o600);
    }
  }
  await rm(home, { recursive: true, force: true });
  await rename(draft, home);
}
