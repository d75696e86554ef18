/** What the commands `backup` and `restore` say. */
import type { Collections } from "../../index/backup/index-backup.js";

export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** How many documents there are of each collection. */
export const counted = (collections: Collections): string =>
  Object.entries(collections)
    .map(([name, { documents }]) => `${name}: ${documents} documents`)
    .join(", ");
