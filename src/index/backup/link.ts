/** Gives the embedded Solr access to any folder: it may only write below a folder of its own. */
import { randomBytes } from "node:crypto";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";
import { backupLinks } from "../embedded/embedded.js";

/** Runs `work` with a symbolic link to a folder. Also removes links that killed commands left behind. */
export async function withLink<T>(
  dataDir: string,
  folder: string,
  work: (link: string) => Promise<T>,
): Promise<T> {
  const links = backupLinks(dataDir);
  await rm(links, { recursive: true, force: true });
  await makePrivateFolder(links);
  const link = join(links, randomBytes(6).toString("hex"));
  await symlink(folder, link);
  try {
    return await work(link);
  } finally {
    await rm(links, { recursive: true, force: true });
  }
}
