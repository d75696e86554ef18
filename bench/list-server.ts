/** A minimal list server for `lists.ts`: reads all documents from Solr in one of two ways, and writes one line each. */
import { once } from "node:events";
import { createServer } from "node:http";
import { newest } from "../src/domain/search/lucene.js";
import type { Search } from "../src/domain/search/search.js";
import { SINGLE } from "../src/index/collections/shards.js";
import { ORDER, searchFrom } from "../src/index/export/cursor.js";
import type { DocumentBatches } from "../src/index/export/export.js";
import { Searches, solrSemaphore } from "../src/index/query/query-admission.js";
import { Solr, USUAL_LOAD } from "../src/index/solr.js";
import type { SolrEndpoint } from "../src/index/transport/endpoint.js";
import { pieceBody } from "../src/server/formats/streams/piece-body.js";

const TIMEOUT = 60_000;
const EVERYTHING: Search = { filters: [newest("-user:*")] };

/** Reads all documents from an offset on. */
type Way = (fields: readonly string[], start: number, caller: string) => Promise<DocumentBatches>;

/** A long timeout, so that eight clients can share the permits. */
const LOAD = { ...USUAL_LOAD, maxWaitMs: 600_000 };

/** @param minCollection number of documents from which key ranges are used */
function exported(endpoint: SolrEndpoint, minCollection: number): Way {
  const partitions = { minCollection, range: 30_000 };
  const solr = new Solr(endpoint, TIMEOUT, SINGLE, undefined, { ...LOAD, partitions });
  return (fields, start, caller) => solr.export(EVERYTHING, { fields, start, clientKey: caller });
}

/** Pages of /select, each after the last file of the previous page. The next page is requested while one is read. */
function keyset(endpoint: SolrEndpoint, rows: number): Way {
  const { http } = new Solr(endpoint, TIMEOUT, SINGLE);
  const { searches: permits, waiting, maxWaitMs } = LOAD;
  const searches = new Searches(http, solrSemaphore(permits, waiting, maxWaitMs));
  return async (fields, start, caller) => {
    const fl = [...new Set([...fields, "file"])].join(",");
    const page = async (behind: string | undefined, size: number, skip = 0) => {
      // The ordinal of `file` has the same order and sorts faster.
      const sort = ORDER.replace("file", "ord(file)");
      const cursor = behind === undefined ? undefined : { file: behind, included: false };
      const { search, parameters } = searchFrom(EVERYTHING, cursor);
      const more = { sort, fl, rows: String(size), start: String(skip), ...parameters };
      return (await searches.select(search, more, { clientKey: caller })).docs;
    };
    // A short first page, so that the list begins early.
    const head = await page(undefined, Math.min(rows, 1000), start);
    return (async function* () {
      for (let documents = head; documents.length > 0; ) {
        const next = page(String(documents.at(-1)?.file), rows);
        next.catch(() => {});
        yield documents;
        documents = await next;
      }
    })();
  };
}

async function* lines(batches: DocumentBatches, fields: readonly string[]) {
  for await (const documents of batches) {
    let text = "";
    for (const document of documents) {
      text += `${fields.map((field) => String(document[field] ?? "")).join(",")}\n`;
    }
    yield text;
  }
}

export interface ListServerOrder {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly way: "export" | "keyset";
  /** Number of documents from which /export uses key ranges, or rows of a page. */
  readonly size: number;
}

process.once("message", async ({ url, user, password, way, size }: ListServerOrder) => {
  const endpoint: SolrEndpoint = { urls: [new URL(url)], user, password };
  const read = way === "export" ? exported(endpoint, size) : keyset(endpoint, size);
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const fields = searchParams.get("fields")?.split(",") ?? [];
    const start = Number(searchParams.get("start") ?? 0);
    const batches = await read(fields, start, searchParams.get("client") ?? "");
    await pieceBody(lines(batches, fields))
      .writeTo(response)
      .catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  process.send?.(server.address());
});
process.on("disconnect", () => process.exit());
