/**
 * Users, clients and keys that a former release has left in the data folder, where instances now share them in the store.
 *
 * Each is taken over unless there is or was one of its name; then its file gets another name. Broken off in between, or
 * done by several instances at once, the same again takes over what is missing.
 */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { waitForLock } from "../../platform/process-lock.js";
import { KeyFolder } from "../keys/key-folder.js";
import type { SharedKeys } from "../keys/shared-keys.js";
import { CLIENTS, type KnownClient } from "./clients.js";
import { FileRecords } from "./file-records.js";
import type { Report, Reports } from "./json-file.js";
import type { RecordsOf } from "./records.js";
import type { SharedRecords } from "./shared-records.js";
import { USERS, type User } from "./users.js";

/** Where they go. */
export interface Successors {
  readonly users: SharedRecords<User>;
  readonly clients: SharedRecords<KnownClient>;
  readonly keys: SharedKeys;
  /** There were users: nobody makes a first one. */
  claimFirstUser(): Promise<boolean>;
}

/** What is added to the names of what was taken over. */
const ASIDE = ".taken-over";

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Takes over what lies in a data folder; nothing where nothing does.
 *
 * @throws UnusableFile, UnusableKeys, UnusableStateKey; SolrUnavailable, SolrTimeout, ServiceBusy
 */
export async function takeOver(
  dataDir: string,
  { users, clients, keys, claimFirstUser }: Successors,
  reports: Reports,
): Promise<void> {
  const isLeft = (name: string): boolean => existsSync(join(dataDir, name));
  if (!["users.json", "clients.json", "keys"].some(isLeft)) return;
  // Another instance on the same folder may be at it.
  const lock = await waitForLock(join(dataDir, "take-over.lock"));
  try {
    if (isLeft("users.json")) {
      await claimFirstUser();
      await takeRecords(dataDir, USERS, users, reports);
    }
    if (isLeft("clients.json")) await takeRecords(dataDir, CLIENTS, clients, reports);
    if (isLeft("keys")) await takeKeys(join(dataDir, "keys"), keys, reports);
  } finally {
    await lock.release();
  }
}

async function takeRecords<T>(
  dataDir: string,
  kind: RecordsOf<T>,
  shared: SharedRecords<T>,
  { say, report }: Reports,
): Promise<void> {
  const path = join(dataDir, `${kind.key}.json`);
  let taken = 0;
  for (const entry of await new FileRecords(dataDir, kind, report).list()) {
    const name = kind.nameOf(entry);
    if (!(await shared.wasThere(name))) {
      await shared.edit(name, (before) => before ?? entry);
      taken += 1;
    } else if (!same(await shared.current(name), entry)) {
      report(
        `The ${kind.kind} ${name} of ${path} is not taken over: there is or was one of that name.`,
      );
    }
  }
  await putAside(path, `${taken} ${kind.kind}${taken === 1 ? "" : "s"}`, say);
}

async function takeKeys(folder: string, keys: SharedKeys, { say, report }: Reports): Promise<void> {
  const bare = await new KeyFolder(folder, report).contents();
  const taken = bare.length === 0 ? 0 : await keys.take(bare);
  await putAside(folder, `${taken} key${taken === 1 ? "" : "s"}`, say);
}

async function putAside(path: string, what: string, say: Report): Promise<void> {
  const aside = existsSync(path + ASIDE) ? `${path}${ASIDE}-${Date.now()}` : path + ASIDE;
  await rename(path, aside);
  say(
    `Took over ${what} of ${path} into Solr's collection state; what was there is kept as ${aside}.`,
  );
}
