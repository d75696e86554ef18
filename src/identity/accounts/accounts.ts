/** Users, clients and signing keys, in files of a data folder or in the shared state store. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NEVER, type StateCopy } from "../../index/state/state-copy.js";
import { KeyFolder } from "../keys/key-folder.js";
import type { KeyStore } from "../keys/keys.js";
import { SharedKeys } from "../keys/shared-keys.js";
import { findSealer, type StateKeySetting } from "../keys/state-key.js";
import { CLIENTS, Clients } from "./clients.js";
import type { Report, Reports } from "./records.js";
import { SharedRecords } from "./shared-records.js";
import { USERS, Users } from "./users.js";

export interface Accounts {
  readonly users: Users;
  readonly clients: Clients;
  readonly keys: KeyStore;
  /** True for exactly one caller, and only if there were never users. */
  claimFirstUser(): Promise<boolean>;
}

/** Accounts in the state store, shared by all instances. */
export interface SharedAccounts extends Accounts {
  readonly keys: SharedKeys;
}

/** The folder with the keys, in a data folder. */
export const keyFolder = (dataDir: string): string => join(dataDir, "keys");

/** Accounts in files of a data folder: `users.json`, `clients.json`, `keys/`. */
export function fileAccounts(dataDir: string, report: Report): Accounts {
  return {
    users: new Users(dataDir, report),
    clients: new Clients(dataDir, report),
    keys: new KeyFolder(keyFolder(dataDir), report),
    claimFirstUser: async () => !existsSync(join(dataDir, "users.json")),
  };
}

/** The entry that says that there were users. The instance that writes it first may create one. */
const FIRST_USER = "first-user";

/** Accounts in the state store, one entry per user and client. */
export function sharedAccounts(
  copy: StateCopy,
  dataDir: string,
  key: StateKeySetting,
  { progress, report }: Reports,
): SharedAccounts {
  const find = (isEmpty: boolean) => findSealer(key, dataDir, isEmpty, progress);
  const first = { kind: FIRST_USER, value: {}, expires: NEVER };
  return {
    users: new Users(new SharedRecords(copy, USERS, report)),
    clients: new Clients(new SharedRecords(copy, CLIENTS, report)),
    keys: new SharedKeys(copy, find, report),
    claimFirstUser: async () => (await copy.store.write(FIRST_USER, first, undefined)).isWritten,
  };
}

/**
 * Opens the accounts of the service.
 *
 * @param shared the state key if accounts are in the state store; undefined if they are in the data folder
 */
export function openAccounts(
  copy: StateCopy,
  dataDir: string,
  shared: StateKeySetting | undefined,
  reports: Reports,
): Accounts {
  if (shared === undefined) return fileAccounts(dataDir, reports.report);
  return sharedAccounts(copy, dataDir, shared, reports);
}
