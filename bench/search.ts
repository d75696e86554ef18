/**
 * Measures speed and memory of searching and indexing, as ratios to Solr alone.
 *
 *     npm run bench -- [N]
 */
import { join } from "node:path";
import { writeCatalogue } from "./make-catalogue.js";
import { measureFacets } from "./measure-facets.js";
import { measureIndex } from "./measure-index.js";
import { measureLists } from "./measure-lists.js";
import { runBench, say } from "./one-catalogue.js";

/** Each ratio is the median of this many alternating rounds, because other processes may use the machine. */
const ROUNDS = { index: 3, lists: 5, facets: 5 };

await runBench({
  command: "npm run bench --",
  other: "Solr",
  make: async (folder, count) => {
    const catalogue = {
      lines: join(folder, "catalogue.jsonl"),
      array: join(folder, "catalogue.json"),
      count,
    };
    await writeCatalogue(catalogue.lines, count, "lines");
    await writeCatalogue(catalogue.array, count, "array");
    return catalogue;
  },
  async *measure(service, client, catalogue) {
    say(`Loading, ${ROUNDS.index} times each way: the longest part`);
    yield await measureIndex(service, client, catalogue, ROUNDS.index);
    say("Listing paths");
    yield await measureLists(service, client, ROUNDS.lists);
    say("Counting facets");
    yield await measureFacets(service, client, ROUNDS.facets);
  },
});
