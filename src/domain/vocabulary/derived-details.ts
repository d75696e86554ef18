/** The details that follow from the other fields of a document: the name of its dataset, and the ends of its period. */
import { LRUCache } from "lru-cache";
import { type Points, pointsOf } from "../extent/period.js";
import { datasetId } from "./dataset-id.js";

type MadeDetails = Readonly<Partial<Record<"dataset_id" | "time_start" | "time_end", string>>>;

/** The ends of periods that were read of late: the files of a dataset share them. */
const ends = new LRUCache<string, Points>({ max: 10_000, memoMethod: pointsOf });

/**
 * What is made of a document.
 *
 * @param document by native names, values alone or in lists
 * @param time its period as it was written, where the document itself does not have it so
 */
export function madeDetails(
  document: Readonly<Record<string, unknown>>,
  time: unknown = Array.isArray(document.time) ? document.time[0] : document.time,
): MadeDetails {
  const name = datasetId(document);
  const { start, end } = typeof time === "string" ? ends.memo(time) : {};
  return {
    ...(name !== undefined && { dataset_id: name }),
    ...(start !== undefined && { time_start: start }),
    ...(end !== undefined && { time_end: end }),
  };
}
