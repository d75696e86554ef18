/** The search for one dataset. */
import { literally } from "../../../src/domain/search/lucene.js";
import { EXCLUDES } from "../../../src/domain/vocabulary/query-words.js";
import type { Pairs } from "../service/request.js";

const NAME = "dataset_id";
const NAMES: readonly string[] = [NAME, NAME + EXCLUDES];

/** Whether a parameter filters by dataset name, which the one name replaces. */
const isAboutName = ([name, value]: Pairs[number]): boolean =>
  NAMES.includes(name === "filter" ? (value.split("=", 1)[0] ?? "") : name);

/** @param name null for files without a dataset */
export const ofDataset = (pairs: Pairs, name: string | null): Pairs => [
  ...pairs.filter((pair) => !isAboutName(pair)),
  name === null ? [NAME + EXCLUDES, "*"] : [NAME, literally(name)],
];
