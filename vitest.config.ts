import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LEFT_OUT } from "./test/support/run/left-out.js";

// The name of a test file says what it needs, and when it runs:
//   x.test.ts          nothing but functions, files and processes
//   x.solr.test.ts     the Solr of the run
//   x.browser.test.ts  the Solr of the run, and Chromium
//   x.slow.test.ts     much time, a Solr of its own, or programs that few machines have: `npm run test:slow`
//   x.alone.test.ts    the same, and nothing beside it: bounds of time and memory

const SOLR = "test/**/*.solr.test.ts";
const SLOW = "test/**/*.slow.test.ts";
const ALONE = "test/**/*.alone.test.ts";

/** Which tests run: `npm test`, `npm run test:slow`, both, or those of one Solr on a SolrCloud. */
type Suite = "quick" | "slow" | "all" | "cloud";
process.env.SUITE ??= "quick";
const suite = process.env.SUITE as Suite;

// For all random tests of this run, in whatever process they are; see test/support/run/trials.ts.
process.env.SEED ??= suite === "quick" ? "1" : String(Math.floor(Math.random() * 2 ** 31));

// Solrs of tests live for seconds: Java's second compiler would take half of the processors and never earn it back.
process.env.JAVA_TOOL_OPTIONS ??= "-XX:TieredStopAtLevel=1";

/**
 * In CI, a test that fails is tried once more: now and then one of processes, clocks or clusters fails where somebody else uses
 * the machine, while a rule that is broken fails twice. The run names such tests at its end.
 */
const RETRY = process.env.CI === "true" ? 1 : 0;

/** How many files run at a time: twice as many as two cores, as tests wait for half of their time. */
const WORKERS = availableParallelism() > 1 ? 4 : 1;

/**
 * Files without Solr first, while it starts; then those with Chromium, which take longest, so that no worker is left with one at the
 * end; then all others. By their names in every run.
 */
const KINDS = [/\.browser\.test\.ts$/, /\.(solr|slow)\.test\.ts$/, /\.alone\.test\.ts$/];
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const keyOf = ({ moduleId }: TestSpecification): string =>
      `${KINDS.findIndex((kind) => kind.test(moduleId)) + 1} ${moduleId}`;
    return [...files].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}

/** `npm test`: one project, because workers are not shared between projects, and each would load all modules again. */
const quick: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: "quick",
      include: ["test/**/*.test.ts"],
      exclude: [SLOW, ALONE],
      isolate: false,
      maxWorkers: WORKERS,
    },
  },
];

/** `npm run test:slow`. */
const slow: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: "slow",
      include: [SLOW],
      isolate: false,
      maxWorkers: WORKERS,
    },
  },
  {
    extends: true,
    test: {
      name: "alone",
      include: [ALONE],
      maxWorkers: 1,
      sequence: { groupOrder: 1 },
    },
  },
];

/** `npm run test:slow` runs some of the files of `npm test` on a SolrCloud besides. */
const cloud: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: "cloud",
      include: [SOLR, SLOW, ALONE],
      exclude: Object.keys(LEFT_OUT),
      fileParallelism: false,
      // Each write goes to several replicas, and each commit waits for all of them.
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  },
];

export default defineConfig({
  test: {
    sequence: { sequencer: InOrder },
    // These end a test that hangs. They are no bounds: the machine may be busy with something else.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    retry: RETRY,
    tags: [
      {
        name: "slow",
        description:
          "does more in `npm run test:slow` (bounds of time, all windows), which runs such tests of its file alone",
      },
    ],
    globalSetup: ["test/support/run/needs.ts"],
    setupFiles: ["test/support/run/wait-for-needs.ts"],
    reporters: ["default", "./test/support/run/closing-line.ts"],
    projects: { quick, slow, cloud, all: [...quick, ...slow] }[suite],
    experimental: { fsModuleCache: true },
  },
});
