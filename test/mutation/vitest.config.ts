/** The tests that `npm run mutate` runs for a part: those that finish within seconds. */
import { defineConfig } from "vitest/config";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  query: ["test/domain/query/*.test.ts"],
  userdata: ["test/server/user-data/{owners,places,read}.test.ts"],
  auth: ["test/identity/{access-tokens,administrators,files,keys,sign-in/queue}.test.ts"],
};

/** Those that need a Solr besides. */
const WITH_SOLR: Readonly<Record<string, readonly string[]>> = {
  auth: ["test/identity/{grants,token,sign-in/limiter}.solr.test.ts"],
};

const part = process.env.PART ?? "";
/** scripts/mutate.ts has started a Solr. Tests that run at a time use different names for their entries. */
const hasSolr = process.env.MUTATION_SOLR === "true";

export default defineConfig({
  test: {
    include: [...(TESTS[part] ?? []), ...(hasSolr ? (WITH_SOLR[part] ?? []) : [])],
    // A mutant that never answers counts as noticed.
    testTimeout: 15_000,
    hookTimeout: 180_000,
    setupFiles: ["test/support/run/wait-for-needs.ts"],
  },
});
