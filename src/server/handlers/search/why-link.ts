/** The link from a search without results to its explanation. */

import type { Groups } from "../../../domain/completeness/groups.js";
import { operationAddress } from "../../formats/catalogue.js";
import { catalogueSource, type SourceRequest } from "../catalogues/catalogue-source.js";

/** Characters of a header field: with all headers together, an answer must still pass proxies that keep 4 KiB for them. */
const MAX_LINK = 1024;

/** The address of the same search as the operation that explains it. @param ofGroups what its groups lack */
export const whyAddress = (request: SourceRequest, ofGroups = false): string =>
  operationAddress(catalogueSource(request), ofGroups ? "findComplete" : "explain");

/** The header of a list without files: it leads to what its groups lack, where it is of complete groups and there are some. */
export const whyEmpty = (
  request: SourceRequest,
  groups: Pick<Groups, "count"> | undefined,
): Readonly<Record<string, string>> =>
  whyLink(whyAddress(request, groups !== undefined && groups.count > 0));

/** The header `Link` (RFC 8288) that leads there; none where the search is too long for a header. */
export function whyLink(address: string): Readonly<Record<string, string>> {
  const link = `<${address}>; rel="help"`;
  return link.length > MAX_LINK ? {} : { Link: link };
}
