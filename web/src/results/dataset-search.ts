/** The search for one dataset of a search. */
import { literally } from "../../../src/domain/search/lucene.js";
import type { Pairs } from "../service/request.js";

const NAME = "dataset_id";

/** Whether a parameter is about names of datasets, which the one name takes the place of. */
const isAboutName = ([name, value]: Pairs[number]): boolean =>
  /^dataset_id(?:_not_)?$/.test(name) ||
  (name === "filter" && /^dataset_id(?:_not_)?=/.test(value));

/** What of a search is of a dataset. @param name null of the files that say none */
export const ofDataset = (pairs: Pairs, name: string | null): Pairs => [
  ...pairs.filter((pair) => !isAboutName(pair)),
  name === null ? [`${NAME}_not_`, "*"] : [NAME, literally(name)],
];
