import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of functions, files and processes, for which no Solr is started. Several of these files run at a time. */
const PURE = [
  "test/{cf,formats,query,vocabulary,zarr,netcdf}/**/*.test.ts",
  "test/repository.test.ts",
  "test/attack/{artifacts,damage,decoders,endless-input,regular-expressions}.test.ts",
  "test/auth/keys.test.ts",
  "test/cli/{data-files,file-entries,progress,startup}.test.ts",
  "test/contract/{agreement,door,handler-types,linters,query-forms,snippets}.test.ts",
  "test/ingest/read-documents.test.ts",
];

// For all random tests of this run, in whatever process they are; see test/support/chance.ts.
process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 31));

/** Tests that bring up a Solr of their own, and never ask the one that all others share: they run beside those. */
const OWN = ["test/{attack/solr-recovery,cli/serve,readme,userdata/failures}.test.ts"];

const WORKERS = Math.min(availableParallelism(), 4);
const NEEDS = "test/support/needs.ts";
const JARS = "test/support/solr-jars.ts";

export default defineConfig({
  test: {
    // Bounds of time are missed now and then where somebody else uses the machine; a rule that is broken fails twice.
    retry: process.env.CI === "true" ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: PURE,
          globalSetup: [NEEDS],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "own Solr",
          include: OWN,
          globalSetup: [NEEDS, JARS],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "solr",
          include: ["test/**/*.test.ts"],
          exclude: [...PURE, ...OWN],
          globalSetup: [NEEDS, JARS, "test/support/global-setup.ts"],
          // One Solr serves all files; each file has collections of its own where it writes.
          fileParallelism: false,
        },
      },
    ],
  },
});
