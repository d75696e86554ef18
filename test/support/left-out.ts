/**
 * Test files of one Solr that `npm run test:cloud` leaves out, each with the reason; besides them those that need no Solr,
 * or start one of their own (PURE and OWN in vitest.config.ts).
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "test/attack/documents.test.ts": "is about the processes that read files",
  "test/attack/reading-processes.test.ts": "is about the processes that read files",
  "test/cli/npm-start.test.ts": "is about processes, with the embedded Solr",
  "test/cli/package.test.ts": "is about what is installed, with the embedded Solr",
  "test/sdk/clients.test.ts":
    "is about generators of clients; what they call is tried by the others",
  "test/solr/cloud.test.ts": "compares a SolrCloud of its own with one Solr",
  "test/attack/solr-values.test.ts": "compares a SolrCloud of its own with one Solr",
  "test/doctor/read-index.test.ts": "has a SolrCloud of its own beside the one Solr",
};

/** For the parts of a file that are about the embedded Solr. */
export const isOnTheCloud = process.env.CLOUD === "1";
