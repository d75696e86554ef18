/**
 * What tests need besides Node and Solr. It is made before the first test of a run, as far as the files of that run
 * need it, so that nothing is fetched or installed in the time of a test or of a hook.
 *
 * Something more is one entry of NEEDS: its `make` makes it where it is missing and is done at once where it is there,
 * and throws where it cannot be had though the tests cannot do without. A test asks for the same again, or for its path.
 */
import { relative } from "node:path";
import type { TestProject } from "vitest/node";
import { GENERATORS } from "../../sdk/generators.js";
import { ensureTools, missingCommands } from "../../sdk/tools.js";
import { packagePath } from "../../src/platform/package-root.js";
import { findChromium } from "./browser.js";
import { ensureContractTools } from "./contract-tools.js";
import { FISH, findProgram, ZSH } from "./debian.js";
import { findNginx } from "./nginx.js";
import { findPromtool } from "./promtool.js";
import { findProxies } from "./proxies.js";
import { ensurePython, ensureTables, ensureZarr2 } from "./python.js";
import { findR } from "./r.js";
import { makeReadmeEnvironment } from "./readme.js";

interface Need {
  readonly what: string;
  /** Test files, or folders of them, by how their paths begin. */
  readonly files: readonly string[];
  make(): unknown;
}

const NEEDS: readonly Need[] = [
  {
    what: "Python with what reads climate data",
    files: [
      ...[
        "test/server/answers/complete",
        "test/server/answers/coverage",
        "test/server/catalogues",
        "test/files/cf/",
        "test/cli/file-entries",
        "test/server/contract/schemathesis",
      ],
      ...[
        "test/attack/crawl",
        "test/attack/damage",
        "test/attack/decoders",
        "test/attack/reading",
        "test/server/limits/service",
        "test/server/streams",
      ],
      "test/server/answers/documentation",
      ...[
        "test/files/zarr/",
        "test/web/look",
        "test/attack/preview",
        "test/files/netcdf/",
        "test/server/dataset-page",
        "test/server/long-jobs",
        "test/catalogue/crawl/",
      ],
    ],
    make: () => ensurePython(),
  },
  {
    what: "Python with zarr-python 2",
    files: ["test/files/zarr/comparison", "test/files/zarr/odd-files"],
    make: ensureZarr2,
  },
  {
    what: "Python with DuckDB, pandas and pyarrow",
    files: ["test/server/answers/extended-search", "test/server/formats/parquet"],
    make: ensureTables,
  },
  {
    what: "the environment that the README makes",
    files: ["test/readme"],
    make: makeReadmeEnvironment,
  },
  {
    what: "generators of clients",
    files: ["test/sdk/"],
    make: () => {
      const tried = GENERATORS.filter(({ everyTime }) => everyTime || process.env.LONG);
      const had = tried.filter(({ tools }) => missingCommands(tools).length === 0);
      return ensureTools(had.flatMap(({ tools }) => tools));
    },
  },
  {
    what: "Chromium",
    files: [
      "test/server/dataset-page",
      "test/server/status/status",
      "test/server/contract/docs-page",
      "test/deploy/proxies",
      "test/web/",
    ],
    make: findChromium,
  },
  {
    what: "linters of OpenAPI documents",
    files: ["test/server/contract/linters"],
    make: ensureContractTools,
  },
  {
    what: "R with httr2",
    files: [
      ...["test/server/contract/docs-page", "test/server/contract/snippets"],
      ...["test/web/code-lines", "test/web/look."],
    ],
    make: findR,
  },
  { what: "nginx", files: ["test/attack/broken-transfers"], make: findNginx },
  {
    what: "zsh and fish",
    files: ["test/cli/completion"],
    make: async () => {
      await findProgram(ZSH);
      await findProgram(FISH);
    },
  },
  { what: "promtool", files: ["test/deploy/monitoring"], make: findPromtool },
  { what: "nginx, Apache and Caddy", files: ["test/deploy/proxies"], make: findProxies },
];

export default async function setup({ vitest }: TestProject): Promise<void> {
  const files = vitest.state.getPaths().map((path) => relative(packagePath(), path));
  for (const need of NEEDS) {
    if (!files.some((file) => need.files.some((start) => file.startsWith(start)))) continue;
    const begin = performance.now();
    await need.make();
    const seconds = Math.round((performance.now() - begin) / 1000);
    if (seconds > 0) console.log(`Made for the tests: ${need.what} (${seconds} s)`);
  }
}
