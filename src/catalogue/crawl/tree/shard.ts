/** Splits a tree between several crawls, by folder. */
import { dirname } from "node:path";
import { withoutVersion } from "../../../index/loading/version.js";
import { UserError } from "../../../platform/errors.js";
import { hash } from "../../../platform/hashed-texts.js";

/** One of `count` shards, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const MAX_SHARDS = 10_000;

/** @throws UserError unless the text is `i/n` */
export function readShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > count || count > MAX_SHARDS) {
    throw new UserError(`--shard ${text}: write i/n, such as 1/4 to 4/4.`);
  }
  return { index, count };
}

/** Whether the files directly in a folder belong to the shard. All versions of a file are in the same one. */
export const holdsFolder = (shard: Shard | undefined, folder: string): boolean =>
  shard === undefined || hash(withoutVersion(`${folder}/`)) % shard.count === shard.index - 1;

export const holdsFile = (shard: Shard | undefined, path: string): boolean =>
  holdsFolder(shard, dirname(path));
