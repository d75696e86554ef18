/** A matrix over several shards: exact in each kind of cell, also where a cell has more than Solr tells of a shard one by one. */
import { beforeAll, expect, it } from "vitest";
import type { SolrTopology } from "../../../src/index/collections/shards.js";
import {
  CELLS,
  type Coverage,
  expected,
  told,
} from "../../server/answers/expected/expected-cells.js";
import { known } from "../../support/data/known-documents.js";
import { chance, SEED } from "../../support/run/trials.js";
import { useService } from "../../support/service/use-service.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const random = chance(SEED);
const below = (count: number): number => Math.floor(random() * count);

/** A cell has more than a hundred members and datasets in each shard; most members are in several. */
const DOCUMENTS = Array.from({ length: 1500 }, (_, index) => ({
  file: `/cloud/${index}.nc`,
  project: "CMIP6",
  product: "CMIP",
  institute: "MPI-M",
  model: `m${below(2)}`,
  experiment: ["historical", "Historical", "ssp585"][below(3)] ?? "",
  ensemble: `r${below(400)}i1p1f1`,
  cmor_table: "Amon",
  grid_label: "gn",
  variable: random() < 0.8 ? "tas" : ["tas", "pr", "TAS"],
  size: below(1e9),
  time: `[${1900 + below(60)} TO ${1960 + below(60)}]`,
}));

const cloud = useCloud({ nodes: 2 });
let topology: SolrTopology;
beforeAll(async () => {
  topology = await layOut(cloud, { shards: 2, replicas: 1 });
});
const service = useService(() => ({
  endpoint: cloud.endpoint,
  topology,
  documents: DOCUMENTS,
}));

it("a matrix of coverage has in each cell what a filter in memory finds", async () => {
  const all = DOCUMENTS.map((document) => known(document, true));
  for (const cells of CELLS) {
    for (const [rows, columns] of [
      ["model", "experiment"],
      ["variable", "model"],
    ] as const) {
      const path = `/databrowser/coverage/native?rows=${rows}&columns=${columns}&cells=${cells}`;
      const answer = (await (await service.get(path)).json()) as Coverage;
      const context = `SEED=${SEED} ${path}`;
      expect(told(answer), context).toEqual(expected(all, rows, columns, cells));
    }
  }
});
