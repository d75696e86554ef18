/** Looks up user ids of accounts, and real paths of folders, on this machine. */
import { LRUCache } from "lru-cache";
import type { MachineLookups } from "../../domain/user-data/registration-rule.js";
import { remembered } from "../../platform/concurrency/single-flight.js";
import { FileProbe } from "../../platform/file-system/file-probe.js";
import { accountNamed } from "../../platform/processes/system-accounts.js";

/** Milliseconds of the cache. Accounts change, and folders are mounted. */
const TTL = 30_000;
const MAX_CACHED = 1000;

/** @throws DataUnavailable by `realPath` if the file system does not answer in time */
export function machineLookups(): MachineLookups {
  const probe = new FileProbe();
  const realPath = async (folder: string): Promise<string> => {
    const found = (await probe.resolve([folder])).get(folder);
    return found !== undefined && "real" in found ? found.real : folder;
  };
  const uids = new LRUCache<string, Promise<number | undefined>>({ max: MAX_CACHED, ttl: TTL });
  const folders = new LRUCache<string, Promise<string>>({ max: MAX_CACHED, ttl: TTL });
  return {
    uidOf: (name) => remembered(uids, name, async () => (await accountNamed(name))?.uid),
    realPath: (folder) => remembered(folders, folder, () => realPath(folder)),
  };
}
