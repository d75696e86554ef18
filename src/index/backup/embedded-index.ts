/** Installs the index of a backup as the home of the embedded Solr, which must not be running. */
import { chmod, copyFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";
import { prepareCores } from "../embedded/cores.js";

/** The folder name that Solr's replication handler gives a core's backup. */
const snapshotOf = (name: string): string => `snapshot.${name}`;

/** Replaces the existing home in one step, after the new one is complete. */
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
