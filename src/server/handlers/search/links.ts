/** Links from a search to operations that say more about it. */
import type { Groups } from "../../../domain/completeness/groups.js";
import { operationAddress } from "../../formats/catalogue.js";
import { catalogueSource, type SourceRequest } from "../catalogues/catalogue-source.js";

/** The addresses of further values of facets. @param choices whether each facet is counted without its own restriction */
export function nextValues(request: SourceRequest, choices = false) {
  const source = catalogueSource(request);
  return (facet: string, after: string): string => {
    const chosen = { facets: facet, values_after: after, ...(choices && { choices: "true" }) };
    const options = { ...source.options, ...chosen };
    return operationAddress({ ...source, options }, "searchMetadata");
  };
}

/** Characters of a header field: with all headers together, an answer must still pass proxies that keep 4 KiB for them. */
const MAX_LINK = 1024;

/** The address of the same search as the operation that explains it, or that says what its groups lack. */
export const whyAddress = (request: SourceRequest, ofGroups = false): string =>
  operationAddress(catalogueSource(request), ofGroups ? "findComplete" : "explain");

/** The header of a list without files: it leads to what its groups lack if there are any, else to the explanation. */
export const whyEmpty = (
  request: SourceRequest,
  groups: Pick<Groups, "count"> | undefined,
): Readonly<Record<string, string>> =>
  whyLink(whyAddress(request, groups !== undefined && groups.count > 0));

/** The header `Link` (RFC 8288) to an address; none if the address is too long for a header. */
export function whyLink(address: string): Readonly<Record<string, string>> {
  const link = `<${address}>; rel="help"`;
  return link.length > MAX_LINK ? {} : { Link: link };
}
