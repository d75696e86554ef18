import { nextTurn } from "../../platform/concurrency/time-slices.js";
import { SolrUnavailable } from "../errors.js";

/** Solr's answer, parsed. @throws SolrUnavailable if it is not JSON: it was cut off, or a proxy answered instead */
export function readAnswer<T = unknown>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SolrUnavailable("Solr's answer is not JSON", { cause });
  }
}

/** Characters that are parsed within some milliseconds. */
const SHORT = 1 << 18;

/** As readAnswer. A long answer is parsed in a turn of its own, because JSON cannot be parsed in parts. */
export async function readLongAnswer(text: string): Promise<unknown> {
  if (text.length <= SHORT) return readAnswer(text);
  await nextTurn();
  const answer: unknown = readAnswer(text);
  await nextTurn();
  return answer;
}

/**
 * Solr's JSON with versions in it. A version has 19 digits, which a JavaScript number cannot hold: it is made
 * a string before the JSON is parsed. The name stands after a bare comma only outside strings, whose quotes
 * are escaped.
 */
export const parseWithVersions = (text: string): unknown =>
  readAnswer(text.replaceAll(/"(_version_)":\s*(-?\d+)/g, '"$1":"$2"'));
