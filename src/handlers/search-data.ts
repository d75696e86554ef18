import type { Handler } from "../contract/operation.js";
import { byteStream } from "../formats/byte-stream.js";
import { pathList } from "../formats/path-list.js";
import { buildSearch } from "../query/search.js";
import type { Services } from "./services.js";

/** The locations of what is found, streamed from Solr as lines. */
export function searchData({ solr }: Services): Handler<"searchData"> {
  return async ({ path, query, signal }) => {
    const search = buildSearch({ path, query });
    const { uniq_key: key } = path;
    const documents = await solr.export(search, { fields: [key], start: query.start, signal });
    return { status: 200, type: "text/plain", body: byteStream(pathList(documents, key)) };
  };
}
