import { operationAddress } from "../../formats/catalogue.js";
import { catalogueSource, type SourceRequest } from "../catalogues/catalogue-source.js";

/**
 * The addresses of further values of facets of a search.
 *
 * @param choices whether each facet is counted without its own restriction
 */
export function nextValues(request: SourceRequest, choices = false) {
  const source = catalogueSource(request);
  return (facet: string, after: string): string => {
    const chosen = { facets: facet, values_after: after, ...(choices && { choices: "true" }) };
    const options = { ...source.options, ...chosen };
    return operationAddress({ ...source, options }, "searchMetadata");
  };
}
