/** The search for one dataset. */
import { literally } from "../../../src/domain/search/lucene.js";
import type { Pairs } from "../service/request.js";

const NAME = "dataset_id";

/** Whether a parameter filters by dataset name, which the one name replaces. */
const isAboutName = ([name, value]: Pairs[number]): boolean =>
  /^dataset_id(?:_not_)?$/.test(name) ||
  (name === "filter" && /^dataset_id(?:_not_)?=/.test(value));

/** @param name null for files without a dataset */
export const ofDataset = (pairs: Pairs, name: string | null): Pairs => [
  ...pairs.filter((pair) => !isAboutName(pair)),
  name === null ? [`${NAME}_not_`, "*"] : [NAME, literally(name)],
];
