/** The tests that `npm run mutate` asks of a room: those that tell within seconds. */
import { defineConfig } from "vitest/config";
import type { TestSolr } from "../support/global-setup.js";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  query: ["test/query/*.test.ts"],
  userdata: ["test/userdata/{owners,places,read}.test.ts"],
  auth: ["test/auth/{access-tokens,administrators,files,keys,queue}.test.ts"],
};

/** Those that need a Solr besides. */
const WITH_SOLR: Readonly<Record<string, readonly string[]>> = {
  auth: ["test/auth/{grants,limiter}.solr.test.ts"],
};

const room = process.env.ROOM ?? "";
/** That scripts/mutate.ts has started, for all that run at a time: their entries have names of their own. */
const solr: TestSolr | undefined = JSON.parse(process.env.MUTATION_SOLR ?? "null") ?? undefined;

export default defineConfig({
  test: {
    include: [...(TESTS[room] ?? []), ...(solr === undefined ? [] : (WITH_SOLR[room] ?? []))],
    // A mutant that never answers has been noticed.
    testTimeout: 15_000,
    hookTimeout: 180_000,
    ...(solr !== undefined && { provide: { solr } }),
  },
});
