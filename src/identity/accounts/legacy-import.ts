/**
 * Imports users, clients and keys from the files of earlier releases in the data folder into the shared state store.
 *
 * An entry is imported unless the store has, or recently had, one of its name. Then the file is renamed. The import can be
 * repeated after an interruption, and several instances can run it at once: each run imports what is missing.
 */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { waitForLock } from "../../platform/processes/process-lock.js";
import { KeyFolder } from "../keys/key-folder.js";
import type { SharedKeys } from "../keys/shared-keys.js";
import { CLIENTS, type KnownClient } from "./clients.js";
import { FileRecords } from "./file-records.js";
import type { Report, Reports } from "./json-file.js";
import type { RecordsOf } from "./records.js";
import type { SharedRecords } from "./shared-records.js";
import { USERS, type User } from "./users.js";

/** The storage that receives the accounts. */
export interface ImportTargets {
  readonly users: SharedRecords<User>;
  readonly clients: SharedRecords<KnownClient>;
  readonly keys: SharedKeys;
  /** Records that there were users, so that no first one is created. */
  claimFirstUser(): Promise<boolean>;
}

/** Added to the names of imported files. */
const IMPORTED_SUFFIX = ".taken-over";

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Imports the accounts in a data folder, if there are any.
 *
 * @throws UnusableFile, UnusableKeys, UnusableStateKey; SolrUnavailable, SolrTimeout, ServiceBusy
 */
export async function importLegacy(
  dataDir: string,
  { users, clients, keys, claimFirstUser }: ImportTargets,
  reports: Reports,
): Promise<void> {
  const isLeft = (name: string): boolean => existsSync(join(dataDir, name));
  if (!["users.json", "clients.json", "keys"].some(isLeft)) return;
  // Another instance on the same folder may be importing.
  const lock = await waitForLock(join(dataDir, "take-over.lock"));
  try {
    if (isLeft("users.json")) {
      await claimFirstUser();
      await importRecords(dataDir, USERS, users, reports);
    }
    if (isLeft("clients.json")) await importRecords(dataDir, CLIENTS, clients, reports);
    if (isLeft("keys")) await importKeys(join(dataDir, "keys"), keys, reports);
  } finally {
    await lock.release();
  }
}

async function importRecords<T>(
  dataDir: string,
  kind: RecordsOf<T>,
  shared: SharedRecords<T>,
  { progress, report }: Reports,
): Promise<void> {
  const path = join(dataDir, `${kind.key}.json`);
  let taken = 0;
  for (const entry of await new FileRecords(dataDir, kind, report).list()) {
    const name = kind.nameOf(entry);
    if (!(await shared.existedRecently(name))) {
      await shared.edit(name, (before) => before ?? entry);
      taken += 1;
    } else if (!same(await shared.current(name), entry)) {
      report(
        `The ${kind.kind} ${name} of ${path} is not imported: a ${kind.kind} of this name exists or was removed recently.`,
      );
    }
  }
  await renameImported(path, `${taken} ${kind.kind}${taken === 1 ? "" : "s"}`, progress);
}

async function importKeys(
  folder: string,
  keys: SharedKeys,
  { progress, report }: Reports,
): Promise<void> {
  const bare = await new KeyFolder(folder, report).contents();
  const taken = bare.length === 0 ? 0 : await keys.importKeys(bare);
  await renameImported(folder, `${taken} key${taken === 1 ? "" : "s"}`, progress);
}

async function renameImported(path: string, what: string, progress: Report): Promise<void> {
  const aside = existsSync(path + IMPORTED_SUFFIX)
    ? `${path}${IMPORTED_SUFFIX}-${Date.now()}`
    : path + IMPORTED_SUFFIX;
  await rename(path, aside);
  progress(
    `Imported ${what} from ${path} into Solr's collection state; the original is kept as ${aside}.`,
  );
}
