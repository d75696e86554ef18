/**
 * What tests need besides Node and Solr. It is made before the first test of a run, as far as the files of that run
 * need it, so that nothing is fetched or installed in the time of a test or of a hook.
 *
 * Something more is one entry of NEEDS: its `make` makes it where it is missing and is done at once where it is there,
 * and throws where it cannot be had though the tests cannot do without. A test asks for the same again, or for its path.
 */
import { relative } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureTools, missingCommands } from "../../../sdk/tools.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { findChromium } from "../page/browser.js";
import { ARIA2, BUSYBOX, FISH, findProgram, ZSH } from "../programs/debian.js";
import { findNginx } from "../programs/nginx.js";
import { findPromtool } from "../programs/promtool.js";
import { findProxies } from "../programs/proxies.js";
import {
  ensureEsgf,
  ensurePython,
  ensureShellcheck,
  ensureStac,
  ensureTables,
  ensureZarr2,
} from "../programs/python.js";
import { findR } from "../programs/r.js";
import { ensureStacNode } from "../programs/stac-tools.js";
import { ensureContractTools } from "../project/contract-tools.js";
import { generatorsToTry, untriable } from "../project/generators.js";
import { makeReadmeEnvironment } from "../project/readme.js";

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
        "test/server/lists/catalogues",
        "test/files/cf/",
        "test/cli/files/file-entries",
        "test/server/contract/schemathesis",
      ],
      ...[
        "test/attack/files/crawl",
        "test/attack/files/damage",
        "test/attack/files/decoders",
        "test/attack/files/reading",
        "test/server/limits/service",
        "test/server/zarr/streams",
      ],
      "test/server/answers/documentation",
      ...[
        "test/files/zarr/",
        "test/server/zarr/joins",
        "test/web/look/look",
        "test/attack/files/preview",
        "test/files/netcdf/",
        "test/server/search/dataset-page",
        "test/server/zarr/long-jobs",
        "test/catalogue/crawl/",
        "test/server/downloads/over-http",
      ],
    ],
    make: () => ensurePython(),
  },
  {
    what: "Python with zarr-python 2",
    files: [
      "test/files/zarr/joins/joins.slow",
      "test/files/zarr/comparison",
      "test/files/zarr/odd/odd-files",
    ],
    make: ensureZarr2,
  },
  {
    what: "Python with DuckDB, pandas and pyarrow",
    files: ["test/server/answers/extended-search", "test/server/formats/parquet"],
    make: ensureTables,
  },
  {
    what: "Python with clients and validators of STAC",
    files: [
      "test/server/stac/clients",
      "test/server/stac/documentation",
      "test/server/stac/validators",
    ],
    make: ensureStac,
  },
  { what: "stac-node-validator", files: ["test/server/stac/validators"], make: ensureStacNode },
  {
    what: "Python with the clients of ESGF",
    files: ["test/server/stac/esgf-clients"],
    make: ensureEsgf,
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
    what: "Chromium",
    files: [
      "test/server/search/dataset-page",
      "test/server/monitoring/status/status",
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
      ...["test/web/data/code-lines", "test/web/look/look."],
    ],
    make: findR,
  },
  { what: "shellcheck", files: ["test/server/downloads/kills"], make: ensureShellcheck },
  {
    what: "BusyBox and aria2",
    files: ["test/server/downloads/"],
    make: async () => {
      await findProgram(BUSYBOX);
      await findProgram(ARIA2);
    },
  },
  { what: "nginx", files: ["test/attack/connections/broken-transfers"], make: findNginx },
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
