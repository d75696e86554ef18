/** The tests that `npm run mutate` runs for a part: those that finish within seconds. */
import { defineConfig } from "vitest/config";
import type { TestSolr } from "../support/run/global-setup.js";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  query: ["test/domain/query/*.test.ts"],
  userdata: ["test/server/user-data/{owners,places,read}.test.ts"],
  auth: ["test/identity/{access-tokens,administrators,files,keys,queue}.test.ts"],
};

/** Those that need a Solr besides. */
const WITH_SOLR: Readonly<Record<string, readonly string[]>> = {
  auth: ["test/identity/{grants,limiter}.solr.test.ts"],
};

const part = process.env.PART ?? "";
/** The Solr that scripts/mutate.ts has started. Tests that run at a time use different names for their entries. */
const solr: TestSolr | undefined = JSON.parse(process.env.MUTATION_SOLR ?? "null") ?? undefined;

export default defineConfig({
  test: {
    include: [...(TESTS[part] ?? []), ...(solr === undefined ? [] : (WITH_SOLR[part] ?? []))],
    // A mutant that never answers counts as noticed.
    testTimeout: 15_000,
    hookTimeout: 180_000,
    ...(solr !== undefined && { provide: { solr } }),
  },
});
