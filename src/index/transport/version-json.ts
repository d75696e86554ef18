import { readAnswer } from "./json-response.js";

/**
 * Solr's JSON with versions in it. A version has 19 digits, which a JavaScript number cannot hold: it is made
 * a string before the JSON is parsed. The name stands after a bare comma only outside strings, whose quotes
 * are escaped.
 */
export const parseWithVersions = (text: string): unknown =>
  readAnswer(text.replaceAll(/"(_version_)":\s*(-?\d+)/g, '"$1":"$2"'));
