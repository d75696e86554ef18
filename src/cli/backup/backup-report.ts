import type { Collections } from "../../index/backup/index-backup.js";

/** How many documents there are of each collection. */
export const counted = (collections: Collections): string =>
  Object.entries(collections)
    .map(([name, { documents }]) => `${name}: ${documents} documents`)
    .join(", ");
