/** Answers of a SolrCloud in which another replica shows a change at another time than the leader. */
import { beforeAll, expect, it } from "vitest";
import type { SolrTopology } from "../../../src/index/collections/shards.js";
import type { SolrEndpoint } from "../../../src/index/transport/endpoint.js";
import type { TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const MODELS = Array.from({ length: 5 }, (_, at) => `m${at}`);
const documentOf = (model: string, experiment: string): TestDocument => ({
  file: `/lag/${model}/${experiment}/tas.nc`,
  project: ["own"],
  model: [model],
  experiment: [experiment],
  variable: ["tas"],
});

const cloud = useCloud({ nodes: 2 });
let topology: SolrTopology;
let leading: SolrEndpoint;
let following: SolrEndpoint;

async function update(query: string, body: object): Promise<void> {
  const address = `${following.urls[0].href}/files/update?${query}`;
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

beforeAll(async () => {
  topology = await layOut(cloud, { shards: 1, replicas: 2 });
  const { aliases } = (await cloud.admin("admin/collections", { action: "LISTALIASES" })) as {
    aliases: Readonly<Record<string, string>>;
  };
  const [node = 0] = Object.values(await cloud.leadingNodes(aliases.files ?? "files"));
  [leading, following] = [cloud.nodes[node], cloud.nodes[1 - node]] as [SolrEndpoint, SolrEndpoint];
});
// Requests go to the node of the other replica, which answers those that name none.
const service = useService(() => ({
  endpoint: following,
  topology,
  documents: MODELS.map((model) => documentOf(model, "first")),
}));

/** The experiments of a model, from an answer that is computed from an export of documents, and is kept. */
async function experimentsOf(model: string): Promise<unknown[]> {
  const query = new URLSearchParams({ sortby: "-experiment", filter: `model = '${model}'` });
  const response = await service.get(`/stac/search?${query}`);
  const { features } = (await response.json()) as {
    features: { properties: { experiment: unknown } }[];
  };
  return features.map(({ properties }) => properties.experiment);
}

/** How many files the leader shows by itself. */
async function shownByLeader(): Promise<number> {
  const query = "q=*:*&rows=0&distrib=false";
  const response = await fetch(`${leading.urls[0].href}/files/select?${query}`);
  return ((await response.json()) as { response: { numFound: number } }).response.numFound;
}

it("a SolrCloud answers from the leader, whose version its answers are kept under, whatever another replica shows", async () => {
  let compared = 0;
  for (const [index, model] of MODELS.entries()) {
    const dataset_id = `own.${model}.second`;
    const document = { ...documentOf(model, "second"), dataset_id, latest: true };
    await update("", [document]);
    // As a leader sends it to other replicas: it makes the document visible in this one alone.
    await update("softCommit=true&commit_end_point=replicas", {});
    const experiments = await experimentsOf(model);
    // After 5 s, the leader shows it by itself.
    if ((await shownByLeader()) === MODELS.length + index) {
      expect(experiments).toEqual(["first"]);
      compared += 1;
    }
    await update("commit=true", {});
    expect(await experimentsOf(model)).toEqual(["second", "first"]);
  }
  expect(compared).toBeGreaterThan(0);
});
