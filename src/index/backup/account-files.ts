/** The accounts that are files of a data folder: users, clients, and the keys that sign. What seals keys in Solr is not among them. */
import { chmod, copyFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/private-files.js";

/** As they are called in a data folder and in a backup; the last says that no sample is to be loaded. */
const FILES = ["users.json", "clients.json", "sample-loaded"];
const KEYS = "keys";

/** Copies them from one folder to another, where they are for their owner alone. */
export async function copyAccounts(from: string, to: string): Promise<void> {
  await makePrivateFolder(to);
  for (const name of FILES) await copyPrivately(join(from, name), join(to, name));
  const keys = await readdir(join(from, KEYS)).catch(() => []);
  if (keys.length === 0) return;
  await makePrivateFolder(join(to, KEYS));
  for (const name of keys.filter((one) => one.endsWith(".json"))) {
    await copyPrivately(join(from, KEYS, name), join(to, KEYS, name));
  }
}

/** Takes them out of a data folder. */
export async function removeAccounts(from: string): Promise<void> {
  for (const name of [...FILES, KEYS]) {
    await rm(join(from, name), { recursive: true, force: true });
  }
}

/** Whether a data folder has any. */
export async function hasAccounts(folder: string): Promise<boolean> {
  const found = await Promise.all(
    ["users.json", "clients.json"].map((name) =>
      stat(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

async function copyPrivately(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await chmod(to, 0o600);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
