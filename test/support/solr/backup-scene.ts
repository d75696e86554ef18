/** What a backup is of, as far as it can be compared: every document of every collection, with all its fields. */
import {
  authorization,
  handlerPath,
  type SolrEndpoint,
  solrUrl,
} from "../../../src/index/transport/endpoint.js";

const COLLECTIONS = ["files", "state"] as const;

export type Contents = Readonly<Record<(typeof COLLECTIONS)[number], readonly string[]>>;

/** All documents, as texts in their order; of the state without what `ready` writes to try it. */
export async function contentsOf(endpoint: SolrEndpoint): Promise<Contents> {
  const all = await Promise.all(
    COLLECTIONS.map(async (name) => {
      const url = solrUrl(endpoint, handlerPath(name, "select"));
      const query = { q: "*:*", fl: "*", rows: "100000", wt: "json" };
      url.search = new URLSearchParams({ ...query, fq: "-kind:storage" }).toString();
      if (name !== "state") url.searchParams.delete("fq");
      const response = await fetch(url, { headers: authorization(endpoint) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${name}: ${text}`);
      const { response: found } = JSON.parse(text) as { response: { docs: unknown[] } };
      return [name, found.docs.map((document) => JSON.stringify(document)).sort()];
    }),
  );
  return Object.fromEntries(all) as unknown as Contents;
}
