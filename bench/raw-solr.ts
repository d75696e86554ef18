/** Requests to Solr without the service, against which the service is measured. */

import { countedFacets } from "../src/domain/aggregation/counted-facets.js";
import { buildSearch, type SearchInput } from "../src/domain/search/search.js";
import { FLAVOURS } from "../src/domain/vocabulary/flavours.js";
import { FILES } from "../src/index/collections/configset.js";
import { FacetCounter } from "../src/index/query/facets.js";
import { IndexVersions } from "../src/index/query/index-versions.js";
import { SolrCollection } from "../src/index/transport/client.js";
import { authorization, type SolrEndpoint, solrUrl } from "../src/index/transport/endpoint.js";
import { SolrHttp, type SolrReply, type SolrRequest } from "../src/index/transport/http.js";
import type { Target } from "./client.js";

const DEADLINE = 600_000;

const NOTHING_FOUND = JSON.stringify({
  response: { numFound: 0 },
  facet_counts: { facet_fields: {} },
});

/** Records a request without sending it, so that Solr does not cache it. */
class Recorder extends SolrHttp {
  path = "";

  override async send(request: SolrRequest): Promise<SolrReply> {
    this.path = request.path;
    return { status: 200, etag: undefined, text: NOTHING_FOUND };
  }
}

export class RawSolr {
  readonly #http: SolrHttp;

  constructor(private readonly endpoint: SolrEndpoint) {
    this.#http = new SolrHttp(endpoint, DEADLINE);
  }

  target(path: string): Target {
    const [before = "", query = ""] = path.split(/\?(.*)/s);
    const url = `${solrUrl(this.endpoint, before)}?${query}`;
    return { url, headers: authorization(this.endpoint) };
  }

  async get(path: string): Promise<string> {
    return (await this.#http.send({ path })).text;
  }

  /** Posts an update command to a core and commits. */
  async update(core: string, command: object): Promise<void> {
    await this.#http.send({
      method: "POST",
      path: `${core}/update?commit=true`,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(command),
    });
  }

  async empty(core: string): Promise<void> {
    await this.update(core, { delete: { query: "*:*" } });
  }

  /** @param clause `latest:true` for what default searches find */
  async count(core: string, clause = "*:*"): Promise<number> {
    const text = await this.get(`${core}/select?q=${encodeURIComponent(clause)}&rows=0`);
    return (JSON.parse(text) as { response: { numFound: number } }).response.numFound;
  }

  async createCore(name: string): Promise<void> {
    await this.get(`admin/cores?action=CREATE&name=${name}&configSet=configset`);
  }

  async removeCore(name: string): Promise<void> {
    await this.get(`admin/cores?action=UNLOAD&core=${name}&deleteInstanceDir=true`);
  }

  /** The request that the service sends for a metadata search. */
  async facetRequest(query: Readonly<Record<string, string>>): Promise<Target> {
    const filters = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value]]));
    const input: SearchInput = {
      path: { flavour: FLAVOURS.cmip6, uniq_key: "file" },
      query: {
        "multi-version": false,
        translate: true,
        time_select: "flexible",
        bbox_select: "flexible",
        filters,
      },
    };
    const recorder = new Recorder(this.endpoint, DEADLINE);
    const counter = new FacetCounter(new IndexVersions(new SolrCollection(recorder, FILES)));
    await counter.count(buildSearch(input), countedFacets(input));
    return this.target(recorder.path);
  }

  /** Used bytes of Solr's heap. */
  async heapUsed(): Promise<number> {
    const { jvm } = JSON.parse(await this.get("admin/info/system?wt=json")) as {
      readonly jvm: { readonly memory: { readonly raw: { readonly used: number } } };
    };
    return jvm.memory.raw.used;
  }

  /** Whether Solr is writing an /export, by the stacks of its threads. */
  async exports(): Promise<boolean> {
    const text = await this.get("admin/info/threads?wt=json");
    return text.includes("org.apache.solr.handler.export.");
  }
}
