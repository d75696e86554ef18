import type { Handler } from "../contract/operation.js";
import { byteStream } from "../formats/byte-stream.js";
import { pathList } from "../formats/path-list.js";
import { buildSearch } from "../query/search.js";
import { callerKey } from "./caller-key.js";
import type { Services } from "./services.js";

/** The locations of what is found, streamed from Solr as lines. */
export function searchData({ solr }: Services): Handler<"searchData"> {
  return async (request) => {
    const { path, query, signal } = request;
    const search = buildSearch({ path, query });
    const { uniq_key: key } = path;
    const asker = { caller: callerKey(request), signal };
    const documents = await solr.export(search, { fields: [key], start: query.start, ...asker });
    return { status: 200, type: "text/plain", body: byteStream(pathList(documents, key)) };
  };
}
