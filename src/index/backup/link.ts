/** A way for the embedded Solr into a folder of somebody's choice: it may write below one folder of its own alone. */
import { randomBytes } from "node:crypto";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../platform/private-files.js";
import { backupLinks } from "../embedded/embedded.js";

/** Does something with a link to a folder; those of a command that was killed go as well. */
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
