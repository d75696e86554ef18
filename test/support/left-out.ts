/**
 * Test files of one Solr that `npm run test:cloud` leaves out, each with the reason; besides them those that need no Solr,
 * or start one of their own (PURE and OWN in vitest.config.ts).
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "test/solr/cloud.test.ts": "compares a SolrCloud of its own with one Solr",
  "test/attack/solr-values.test.ts": "compares a SolrCloud of its own with one Solr",
  "test/doctor/read-index.test.ts": "has a SolrCloud of its own beside the one Solr",
};
