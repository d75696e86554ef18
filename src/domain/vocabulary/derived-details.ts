/** Details derived from other fields of a document: the dataset name, and the ends of the period. */
import { LRUCache } from "lru-cache";
import { type Points, pointsOf } from "../extent/period.js";
import { datasetId } from "./dataset-id.js";

type DerivedDetails = Readonly<Partial<Record<"dataset_id" | "time_start" | "time_end", string>>>;

/** The ends of periods: the files of a dataset share them. */
const ends = new LRUCache<string, Points>({ max: 10_000, memoMethod: pointsOf });

/**
 * @param document by native names; values may be lists
 * @param time the period as written, if `document` has it in another form
 */
export function derivedDetails(
  document: Readonly<Record<string, unknown>>,
  time: unknown = Array.isArray(document.time) ? document.time[0] : document.time,
): DerivedDetails {
  const name = datasetId(document);
  const { start, end } = typeof time === "string" ? ends.memo(time) : {};
  return {
    ...(name !== undefined && { dataset_id: name }),
    ...(start !== undefined && { time_start: start }),
    ...(end !== undefined && { time_end: end }),
  };
}
