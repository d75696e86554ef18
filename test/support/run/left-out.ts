/** Test files, or patterns of them, that do not run on a SolrCloud, each with the reason; nor do those that need no Solr. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "test/index/cloud/*": "has a SolrCloud of its own",
  "test/attack/files/documents.alone.test.ts": "is about the processes that read files",
  "test/attack/files/reading-processes.alone.test.ts": "is about the processes that read files",
  "test/cli/start/npm-start.slow.test.ts": "is about processes, with the embedded Solr",
  "test/cli/start/package.slow.test.ts": "is about what is installed, with the embedded Solr",
  "test/sdk/clients.slow.test.ts":
    "is about generators of clients; what they call is tried by the others",
  "test/index/solr/cloud.slow.test.ts": "compares a SolrCloud of its own with one Solr",
  "test/attack/solr/solr-values.slow.test.ts": "compares a SolrCloud of its own with one Solr",
  "test/catalogue/doctor/read-index.slow.test.ts": "has a SolrCloud of its own beside the one Solr",
};

/** For the parts of a file that are about the embedded Solr. */
export const isOnTheCloud = process.env.SUITE === "cloud";
