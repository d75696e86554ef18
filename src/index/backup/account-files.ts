/** The account files of a data folder: users, clients and signing keys. The key that encrypts keys in Solr is not included. */
import { chmod, copyFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";

/** Names in a data folder and in a backup. The last one marks that the sample has been loaded. */
const FILES = ["users.json", "clients.json", "sample-loaded"];
const KEYS = "keys";

/** Copies the account files to a folder that only its owner can read. */
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

export async function removeAccounts(from: string): Promise<void> {
  for (const name of [...FILES, KEYS]) {
    await rm(join(from, name), { recursive: true, force: true });
  }
}

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
