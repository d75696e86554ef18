import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { LEFT_OUT } from "./test/support/left-out.js";

// Which project a test file belongs to; one that no list names has a Solr that was started before.

/** Tests of functions, files and processes, for which no Solr is started. */
const PURE = [
  "test/{cf,drs,formats,platform,query,vocabulary,zarr,netcdf}/**/*.test.ts",
  "test/doctor/times.test.ts",
  "test/deploy/files.test.ts",
  "test/{repository,single-flight}.test.ts",
  "test/audit/day-files.test.ts",
  "test/auth/{access-tokens,administrators,files,keys,queue}.test.ts",
  "test/trust/**/*.test.ts",
  "test/attack/{artifacts,damage,decoders,endless-input,forged-tokens,parsers,regular-expressions}.test.ts",
  "test/cli/{data-files,file-entries,progress,startup,text-table}.test.ts",
  "test/contract/{agreement,below-path,direct-answer,door,handler-types,linters,query-forms,snippets}.test.ts",
  "test/crawl/{pipeline,walk}.test.ts",
  "test/ingest/read-documents.test.ts",
  "test/rights/{decisions,trees}.test.ts",
  "test/solr/nodes.test.ts",
  "test/userdata/{interleavings,owners,places,read}.test.ts",
  "test/web/{boxes,draw,needs,periods,search-texts,stretches}.test.ts",
];

/** Tests that bring up a Solr of their own. */
const OWN = [
  "test/{attack/{solr-kills,solr-recovery},cli/{serve,workers},crawl/cloud,readme,solr/rotated,userdata/failures}.test.ts",
  "test/{backup/*,solr/upgrade*}.test.ts",
  "test/deploy/{systemd,solr-security}.test.ts",
];

/** Tests that hold bounds of time or of memory, which nothing else must disturb: one file after the other. */
const ALONE = ["test/attack/**/*.test.ts", "test/{auth/limits,faults}.test.ts"];

/** Attacks that hold no such bound, or one that a machine in use keeps as well: they run beside others. */
const BESIDE = [
  "test/attack/{accounts,broken-transfers,connections,crawl,damaged-data,flavours,instances}.test.ts",
  "test/attack/{explaining,proxies,reading,refusals,shares,solr-complex,solr-values,tokens}.test.ts",
];

/** Tests with a SolrCloud of several nodes of their own; `npm run test:cloud` runs them. */
const CLOUDS = ["test/cloud/**/*.test.ts"];

// For all random tests of this run, in whatever process they are; see test/support/chance.ts.
process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 31));

// Solrs of tests live for seconds: Java's second compiler would take half of the processors and never earn it back.
process.env.JAVA_TOOL_OPTIONS ??= "-XX:TieredStopAtLevel=1";

/**
 * How many files run at a time: one more than two cores, as tests wait for much of their time. Each has a Solr for itself
 * where it needs one, told apart by VITEST_POOL_ID. That is unique only as long as these projects are one group: vitest may
 * give a number twice where a second group begins.
 */
const WORKERS = availableParallelism() > 1 ? 3 : 1;
const NEEDS = "test/support/needs.ts";
const JARS = "test/support/solr-jars.ts";
const SOLRS = "test/support/global-setup.ts";

/** `npm test`. */
const onOneSolr: TestProjectConfiguration[] = [
  {
    extends: true,
    test: { name: "pure", include: PURE, globalSetup: [NEEDS], maxWorkers: WORKERS },
  },
  {
    extends: true,
    test: { name: "own Solr", include: OWN, globalSetup: [NEEDS, JARS], maxWorkers: WORKERS },
  },
  {
    extends: true,
    test: {
      name: "solr",
      include: ["test/**/*.test.ts"],
      exclude: [...PURE, ...OWN, ...ALONE, ...CLOUDS],
      globalSetup: [NEEDS, JARS, SOLRS],
      maxWorkers: WORKERS,
    },
  },
  {
    extends: true,
    test: {
      name: "beside",
      include: BESIDE,
      globalSetup: [NEEDS, JARS, SOLRS],
      maxWorkers: WORKERS,
    },
  },
  {
    extends: true,
    test: {
      name: "alone",
      include: ALONE,
      exclude: [...PURE, ...OWN, ...BESIDE],
      globalSetup: [NEEDS, JARS, SOLRS],
      fileParallelism: false,
    },
  },
];

/** `npm run test:cloud`, which runs one after the other: each has a SolrCloud at a time, which is four processes. */
const onTheCloud: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: "clouds",
      include: [...CLOUDS, "test/solr/upgrade-outside.test.ts"],
      globalSetup: [NEEDS, JARS],
      fileParallelism: false,
      testTimeout: 120_000,
    },
  },
  {
    extends: true,
    test: {
      name: "suite",
      include: ["test/**/*.test.ts"],
      exclude: [...PURE, ...OWN, ...CLOUDS, ...Object.keys(LEFT_OUT)],
      globalSetup: [NEEDS, JARS, SOLRS],
      fileParallelism: false,
      // Each write goes to several replicas, and each commit waits for all of them.
      testTimeout: 120_000,
    },
  },
];

export default defineConfig({
  test: {
    // Bounds of time are missed now and then where somebody else uses the machine; a rule that is broken fails twice.
    retry: process.env.CI === "true" ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: process.env.CLOUD === "1" ? onTheCloud : onOneSolr,
  },
});
