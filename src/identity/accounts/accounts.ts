/** Users, clients and signing keys: where they are kept is decided here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NEVER, type StateCopy } from "../../index/state/state-copy.js";
import { KeyFolder } from "../keys/key-folder.js";
import type { KeyStore } from "../keys/keys.js";
import { SharedKeys } from "../keys/shared-keys.js";
import { findSealer, type StateKeySetting } from "../keys/state-key.js";
import { CLIENTS, Clients } from "./clients.js";
import type { Report, Reports } from "./json-file.js";
import { takeOver } from "./legacy-import.js";
import { SharedRecords } from "./shared-records.js";
import { USERS, Users } from "./users.js";

export interface Accounts {
  readonly users: Users;
  readonly clients: Clients;
  readonly keys: KeyStore;
  /** True for one who asks, and for nobody once there were users. @throws SolrUnavailable, SolrTimeout */
  claimFirstUser(): Promise<boolean>;
}

/** Accounts of the store that all instances share. */
export interface SharedAccounts extends Accounts {
  readonly keys: SharedKeys;
  /** Takes over what a former release has left in the data folder, once. @throws as its parts */
  takeOver(): Promise<void>;
}

/** Where keys are kept in a data folder. */
export const keyFolder = (dataDir: string): string => join(dataDir, "keys");

/** In files of a data folder: `users.json`, `clients.json`, `keys/`. */
export function fileAccounts(dataDir: string, report: Report): Accounts {
  return {
    users: new Users(dataDir, report),
    clients: new Clients(dataDir, report),
    keys: new KeyFolder(keyFolder(dataDir), report),
    claimFirstUser: async () => !existsSync(join(dataDir, "users.json")),
  };
}

/** There were users; who writes it first makes one. */
const FIRST_USER = { id: "first-user", kind: "first-user" };

/** In the store, each an entry of its own. @param key seals the private keys */
export function sharedAccounts(
  copy: StateCopy,
  dataDir: string,
  key: StateKeySetting,
  { say, report }: Reports,
): SharedAccounts {
  const users = new SharedRecords(copy, USERS, report);
  const clients = new SharedRecords(copy, CLIENTS, report);
  const find = (isEmpty: boolean) => findSealer(key, dataDir, isEmpty, say);
  const keys = new SharedKeys(copy, find, report);
  const claimFirstUser = (): Promise<boolean> => {
    const { id, kind } = FIRST_USER;
    return copy.store.write(id, { kind, value: {}, expires: NEVER }, undefined);
  };
  return {
    users: new Users(users),
    clients: new Clients(clients),
    keys,
    claimFirstUser,
    takeOver: () => takeOver(dataDir, { users, clients, keys, claimFirstUser }, { say, report }),
  };
}

/**
 * Opens them for the service.
 *
 * @param shared seals what instances share; undefined where they share nothing but a data folder
 */
export async function openAccounts(
  copy: StateCopy,
  dataDir: string,
  shared: StateKeySetting | undefined,
  reports: Reports,
): Promise<Accounts> {
  if (shared === undefined) return fileAccounts(dataDir, reports.report);
  const accounts = sharedAccounts(copy, dataDir, shared, reports);
  await accounts.takeOver();
  return accounts;
}
