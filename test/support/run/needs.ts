/**
 * What tests need besides Node. It is made while the first tests run, and a test file waits for its own (wait-for-needs.ts): nothing
 * is fetched or installed in the time of a test or of a hook. Tests that hold bounds begin when all of it is made.
 *
 * Something more is one entry of NEEDS; a test finds it by madeFolder or findProgram.
 */
import { relative } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureTools, missingCommands } from "../../../sdk/tools.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { makeChromium } from "../page/browser.js";
import * as debian from "../programs/debian.js";
import { persistently } from "../programs/made-folder.js";
import { NODES } from "../programs/node-versions.js";
import { makeNpmFolder } from "../programs/npm-folder.js";
import { PROXIES } from "../programs/proxies.js";
import { makePython } from "../programs/python.js";
import { makeR } from "../programs/r.js";
import { BROWSER_RECIPE, makeStacBrowser, STAC_NODE } from "../programs/stac-tools.js";
import { CONTRACT_TOOLS } from "../project/contract-tools.js";
import { generatorsToTry, untriable } from "../project/generators.js";
import { makeReadmeEnvironment } from "../project/readme.js";
import { begin, isBegun, type Plan, report } from "./needs-folder.js";
import { SOLR, startSharedSolr } from "./shared-solr.js";

interface Need {
  readonly what: string;
  /** Test files, or folders of them, by how their paths begin. */
  readonly files: readonly string[];
  make(): unknown;
  /** Outside CI, these tests are skipped on a machine without it. */
  readonly isOptional?: true;
  /** `npm test` installs it; the others are for slow files only. */
  readonly isQuick?: true;
}

/** Programs of Debian for some files. */
const programs = (files: readonly string[], ...all: readonly debian.DebianProgram[]): Need => ({
  what: all.map((program) => program.package).join(", "),
  files,
  make: async () => {
    for (const program of all) await debian.makeProgram(program);
  },
  isOptional: true,
});

const NEEDS: readonly Need[] = [
  {
    what: "Python that reads climate data",
    files: [
      "test/files/cf/boxes",
      "test/files/cf/time-units",
      "test/files/netcdf/damage",
      "test/files/netcdf/foreign-files",
      "test/files/netcdf/library",
      "test/files/zarr/",
      "test/server/zarr/",
      "test/server/lists/catalogues",
      "test/server/answers/coverage",
      "test/server/answers/documentation",
      "test/server/search/dataset-page",
      "test/server/answers/complete",
      "test/attack/connections/broken-transfers",
      "test/attack/files/",
      "test/catalogue/crawl/odd-tree",
      "test/cli/files/file-entries",
      "test/cli/join",
      ...["docs-page", "schemathesis", "snippets"].map((name) => `test/server/contract/${name}`),
      "test/server/downloads/over-http",
      "test/server/limits/service",
      "test/web/data/code-lines",
      "test/web/look/",
    ],
    make: () => makePython("data"),
    isQuick: true,
  },
  {
    what: "Python that reads CSV and Parquet",
    files: ["test/server/answers/extended-search", "test/server/formats/parquet"],
    make: () => makePython("tables"),
    isQuick: true,
  },
  {
    what: "Chromium",
    files: [
      "test/server/search/dataset-page",
      "test/server/monitoring/status/status",
      "test/server/contract/docs-page",
      "test/deploy/proxies",
      "test/server/stac/stac-browser",
      "test/web/",
    ],
    make: makeChromium,
    isOptional: true,
    isQuick: true,
  },
  {
    what: "Python with zarr-python 2",
    files: [
      "test/files/zarr/joins/joins.slow",
      "test/files/zarr/comparison",
      "test/files/zarr/foreign",
      "test/files/zarr/odd/odd-files",
    ],
    make: () => makePython("zarr2"),
  },
  {
    what: "Python with STAC clients",
    files: [
      "test/server/stac/clients",
      "test/server/stac/documentation",
      "test/server/stac/validators",
    ],
    make: () => makePython("stac"),
  },
  {
    what: STAC_NODE.what,
    files: ["test/server/stac/validators"],
    make: () => makeNpmFolder(STAC_NODE),
  },
  {
    what: BROWSER_RECIPE.what,
    files: ["test/server/stac/stac-browser"],
    make: makeStacBrowser,
  },
  {
    what: "Python with ESGF clients",
    files: ["test/server/stac/esgf-clients"],
    make: () => makePython("esgf"),
  },
  {
    what: "the environment that the README makes",
    files: ["test/readme"],
    make: makeReadmeEnvironment,
  },
  {
    what: "generators of clients",
    files: ["test/sdk/"],
    make: async () => {
      const tried = await generatorsToTry();
      for (const line of untriable(tried)) console.log(line);
      const had = tried.filter(({ tools }) => missingCommands(tools).length === 0);
      return ensureTools(had.flatMap(({ tools }) => tools));
    },
  },
  {
    what: CONTRACT_TOOLS.what,
    files: ["test/server/contract/linters"],
    make: () => makeNpmFolder(CONTRACT_TOOLS),
  },
  {
    what: "R with httr2",
    files: [
      "test/server/contract/docs-page",
      "test/server/contract/snippets",
      "test/web/data/code-lines",
      "test/web/look/look.",
    ],
    make: makeR,
    isOptional: true,
  },
  {
    what: "shellcheck",
    files: ["test/server/downloads/kills"],
    make: () => makePython("shell"),
  },
  ...Object.values(NODES).map((packages) => ({
    what: packages.what,
    files: ["test/deploy/node-versions"],
    make: () => makeNpmFolder(packages),
  })),
  programs(["test/server/downloads/"], debian.BUSYBOX, debian.ARIA2, debian.ZSH),
  programs(["test/attack/connections/broken-transfers"], debian.NGINX),
  programs(["test/cli/completion-shells"], debian.ZSH, debian.FISH),
  programs(["test/deploy/prometheus"], debian.PROMTOOL),
  programs(["test/deploy/proxies"], ...Object.values(PROXIES).map(({ program }) => program)),
  programs(["test/files/rights/", "test/server/search/hidden-files"], debian.ACL),
];

const isSlow = (file: string): boolean => /\.(slow|alone)\.test\.ts$/.test(file);
const needsSolr = (file: string): boolean => isSlow(file) || /\.(solr|browser)\./.test(file);
/** `npm run test:slow` also runs files of `npm test`, which do more there. */
const isSlowRun = process.env.BOUNDS === "1";
const isNeededBy = ({ files, isQuick }: Need, file: string): boolean =>
  (isQuick || isSlowRun || isSlow(file)) && files.some((start) => file.startsWith(start));

/** The sentence about something that cannot be had. */
const sentence = (what: string, error: unknown): string =>
  `${what} cannot be had: ${String((error as { stderr?: string }).stderr || error)
    .trim()
    .slice(-500)}`;

async function makeOne({ what, make, isOptional }: Need): Promise<void> {
  const begin = performance.now();
  try {
    await persistently(make);
    report(what, {});
  } catch (error) {
    const said = sentence(what, error);
    console.warn(said);
    report(what, { error: isOptional && process.env.CI !== "true" ? undefined : said });
  }
  const seconds = Math.round((performance.now() - begin) / 1000);
  if (seconds > 0) console.log(`Made for the tests: ${what} (${seconds} s)`);
}

export default async function setup({
  vitest,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (isBegun()) return undefined;
  const files = vitest.state.getPaths().map((path) => relative(packagePath(), path));
  const plan: Plan = Object.fromEntries(
    files.map((file) => {
      const needs = NEEDS.filter((need) => isNeededBy(need, file)).map(({ what }) => what);
      return [file, needsSolr(file) ? [...needs, SOLR] : needs];
    }),
  );
  const remove = begin(plan);
  const needed = new Set(Object.values(plan).flat());
  const workers = Math.max(...vitest.projects.map(({ config }) => Number(config.maxWorkers) || 1));
  const making = (async () => {
    for (const need of NEEDS) if (needed.has(need.what)) await makeOne(need);
  })();
  const starting = needed.has(SOLR) ? startSharedSolr(workers) : undefined;
  const started = starting?.then(
    ({ stop, ...value }) => report(SOLR, { value }),
    (error) => report(SOLR, { error: sentence(SOLR, error) }),
  );
  const holdsBounds = isSlowRun || files.some(isSlow);
  if (holdsBounds) await Promise.all([making, started]);
  return async () => {
    await making;
    await starting?.then(
      ({ stop }) => stop(),
      () => {},
    );
    remove();
  };
}
