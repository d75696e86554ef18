/** How `npm run mutate` changes one part of src/ and runs its tests; scripts/mutate.ts sets PART and names the files. */
const part = process.env.PART;

export default {
  testRunner: "rooms",
  plugins: ["./test/mutation/runner.mjs"],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 60_000,
  timeoutFactor: 3,
  // Of auth there are figures for a part of its files alone: docs/mutation.md.
  thresholds: { high: 95, low: 85, break: part === "auth" ? null : 85 },
  warnings: { unknownOptions: false, slow: false },
  reporters: ["progress-append-only", "clear-text", "json"],
  jsonReporter: { fileName: `var/mutation/${part}.json` },
  clearTextReporter: { allowColor: false, logTests: false },
  tempDirName: "var/mutation/sandbox",
  // The sandbox: what src/ and its tests read.
  ignorePatterns: [
    "/*",
    ...["src", "generated", "test", "solr", "data", "drs", "scripts", "web", "sdk"],
    ...["package.json", "tsconfig.json", "openapi.yaml", "README.md"],
  ]
    .map((name, index) => (index === 0 ? name : `!/${name}`))
    .concat("/solr/target"),
  disableTypeChecks: false,
};
