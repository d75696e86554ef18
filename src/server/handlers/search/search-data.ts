import { buildSearch } from "../../../domain/search/search.js";
import { seen, seenFields } from "../../access/visibility.js";
import type { Handler } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { pathList } from "../../formats/path-list.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { clientKey } from "../common/client-key.js";
import { owningCaller, withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { listCaching } from "./list-caching.js";
import { exportListed, listedGroups } from "./listed-groups.js";
import { tellSearch } from "./searched.js";
import { checkValues } from "./unknown-values.js";
import { whyEmpty } from "./why-link.js";

/** The locations of what is found, streamed from Solr as lines. */
export function searchData(services: Services): Handler<"searchData"> {
  const { solr, rights } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path, query });
    const { uniq_key: key } = path;
    const client = { clientKey: clientKey(request), signal };
    const check = checkValues(search, solr, client);
    const groups = await listedGroups({ path, query }, search, services, client);
    const options = { fields: seenFields([key], rights), start: query.start, ...client };
    const documents = await exportListed(solr, search, options, groups);
    tellSearch(request, search, !documents.isEmpty);
    const unknown = unknownValuesHeader(await check({ isFound: !documents.isEmpty }));
    // Behind the end of what is found there is nothing to explain.
    const why = documents.isEmpty && query.start === 0 ? whyEmpty(request, groups) : {};
    const headers = { ...unknown, ...why, ...listCaching(request, services) };
    const visible = seen(documents, owningCaller(request), rights);
    return { status: 200, type: "text/plain", headers, body: byteStream(pathList(visible, key)) };
  };
}
