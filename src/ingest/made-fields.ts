/** What `index` adds to a document of its own: the name of its dataset, the ends of its period, and when it came. */
import { LRUCache } from "lru-cache";
import { datasetId } from "../vocabulary/dataset-id.js";
import { DETAIL_NAMES, DETAILS } from "../vocabulary/details.js";
import { pointsOf } from "../vocabulary/period.js";

type Fields = Readonly<Record<string, unknown>>;

/** Details that are made here: what a document brings under these names counts for nothing, but for `added`. */
export const MADE: readonly string[] = DETAIL_NAMES.filter((detail) => DETAILS[detail].made);

/** The ends of periods that were read of late, as members of a JSON object: the files of a dataset share them. */
const knownEnds = new LRUCache<string, string>({ max: 10_000 });

function ends(time: string): string {
  const known = knownEnds.get(time);
  if (known !== undefined) return known;
  const { start, end } = pointsOf(time);
  const text =
    (start === undefined ? "" : `,"time_start":"${start}"`) +
    (end === undefined ? "" : `,"time_end":"${end}"`);
  knownEnds.set(time, text);
  return text;
}

/**
 * The JSON of a document, without its closing brace, with what follows from its other fields.
 *
 * @param text of a JSON object that is not empty, and has none of the fields that are made
 * @param document the same, parsed
 */
export function withMade(text: string, document: Fields): string {
  const name = datasetId(document);
  const time = Array.isArray(document.time) ? document.time[0] : document.time;
  return (
    text.slice(0, text.lastIndexOf("}")) +
    (name === undefined ? "" : `,"dataset_id":${JSON.stringify(name)}`) +
    (typeof time === "string" ? ends(time) : "")
  );
}

/** The end of a document's JSON. @param added, updated ISO 8601 in UTC */
export const withMoments = (text: string, added: string, updated: string): string =>
  `${text},"added":"${added}","updated":"${updated}"}`;
