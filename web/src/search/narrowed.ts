/** Sets one value for some facets of a search, replacing those that it includes and keeping its exclusions. Pure. */
import { EXCLUDING, searchedText } from "./value-text.js";

export function narrowed(
  searching: URLSearchParams,
  values: Iterable<readonly [facet: string, value: string]>,
): URLSearchParams {
  const query = new URLSearchParams(searching);
  for (const [facet, value] of values) {
    const excluding = query.getAll(facet).filter((one) => EXCLUDING.test(one));
    query.delete(facet);
    for (const one of excluding) query.append(facet, one);
    query.append(facet, searchedText(value));
  }
  return query;
}
