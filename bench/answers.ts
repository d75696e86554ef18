/**
 * Measures speed and memory of answers about a search, as ratios to metadata searches of the same run.
 *
 *     npx tsx bench/answers.ts [N] [PART]
 *
 * With PART, only the answers whose name contains it (`suggest`).
 */
import { join } from "node:path";
import { writeCatalogue } from "./make-catalogue.js";
import { measureAnswers } from "./measure-answers.js";
import { measureTables } from "./measure-tables.js";
import { runBench, say } from "./one-catalogue.js";

/** Each number is the median of this many alternating rounds. */
const ROUNDS = 7;

const [, part] = process.argv.slice(2);

await runBench({
  command: "npx tsx bench/answers.ts",
  // All facets of the same number of documents.
  other: "metadata-search",
  make: async (folder, count) => {
    const lines = join(folder, "catalogue.jsonl");
    await writeCatalogue(lines, count, "lines", "details");
    return lines;
  },
  async *measure(service, client, lines) {
    say("Loading: the longest part");
    await service.index(lines);
    // First, because answers sent as a whole grow the heap permanently.
    if (part === undefined) {
      say("Tables");
      yield await measureTables(service, client);
    }
    say("Answers");
    yield* measureAnswers(service, client, ROUNDS, part);
  },
});
