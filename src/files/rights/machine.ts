/** What this machine knows: the user ids of its accounts, and where folders really are. */
import { realpath } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import type { MachineLookups } from "../../domain/user-data/registration-rule.js";
import { remembered } from "../../platform/single-flight.js";
import { accountNamed } from "../../platform/system-accounts.js";

/** Milliseconds for which an answer is taken for true: people come and go, and folders are mounted. */
const REMEMBERED = 30_000;

const uidOf = async (name: string): Promise<number | undefined> => (await accountNamed(name))?.uid;

export function machineLookups(): MachineLookups {
  const uids = new LRUCache<string, Promise<number | undefined>>({ max: 1000, ttl: REMEMBERED });
  const folders = new LRUCache<string, Promise<string>>({ max: 1000, ttl: REMEMBERED });
  return {
    uidOf: (name) => remembered(uids, name, () => uidOf(name)),
    realPath: (folder) => remembered(folders, folder, () => realpath(folder).catch(() => folder)),
  };
}
