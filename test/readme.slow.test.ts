/**
 * Every code block of README.md and docs/ runs as it is written, in the order of the page, beside a service in the state
 * after its first start.
 *
 * - The service listens on a free port, which replaces `127.0.0.1:7777`.
 * - If a command asks for a password, the test types the one of the user demo that the first start printed.
 * - Variables pass from block to block within a page. A page starts with the README's virtual environment and nothing else.
 * - A block of the language `output` has what the block above it prints.
 * - Blocks in other languages than those of RUN are output or configuration. A block with the info string
 *   `no-test=<reason>` is not run; NOT_RUN explains each reason.
 */
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../src/platform/package-root.js";
import { build, Serving } from "./cli/command.js";
import {
  type CodeBlock,
  codeBlocks,
  documents,
  expectOutput,
  freshClone,
} from "./support/project/readme.js";
import { freshFolder } from "./support/run/folders.js";

/** Why blocks marked `no-test=<key>` do not run here, and the test that covers the same commands, if there is one. */
const NOT_RUN: Readonly<Record<string, { because: string; test?: string }>> = {
  "npm-start": { because: "starts a service itself", test: "test/cli/start/serve.slow.test.ts" },
  "solr-setup": {
    because: "needs an outside Solr",
    test: "test/index/solr/upgrade-outside.slow.test.ts",
  },
  "solr-upgrade": { because: "needs an old index", test: "test/index/solr/upgrade.slow.test.ts" },
  backup: { because: "needs a stopped service", test: "test/index/backup/embedded.slow.test.ts" },
  lists: {
    because: "needs lists of a file system",
    test: "test/catalogue/crawl/crawl.slow.test.ts",
  },
  remove: {
    because: "takes the sample out of the index",
    test: "test/cli/files/remove.solr.test.ts",
  },
  statistics: { because: "needs an audit folder", test: "test/server/audit/commands.slow.test.ts" },
  security: { because: "needs a SolrCloud", test: "test/deploy/solr-security.slow.test.ts" },
  systemd: { because: "needs root and systemd", test: "test/deploy/systemd.slow.test.ts" },
  containers: { because: "needs Docker or Kubernetes", test: "test/deploy/files.test.ts" },
  settings: { because: "lines of an environment file" },
  mutation: { because: "takes hours" },
  h5netcdf: {
    because: "needs a library that the README does not install",
    test: "test/server/downloads/over-http.slow.test.ts",
  },
  fragment: { because: "part of a program", test: "test/sdk/clients.slow.test.ts" },
  example: { because: "an example of an answer or a document" },
};

/** Pages whose blocks another test runs, with stricter checks of the answers. */
const OTHER_TESTS: Readonly<Record<string, string>> = {
  "docs/answers.md": "test/server/answers/documentation.solr.test.ts",
  "docs/stac-api.md": "test/server/stac/documentation.slow.test.ts",
};

/** Finds 16 files, two of which are versions of one. */
const OWN_FILES =
  'curl -G $API/databrowser/data-search/cmip6/file --data-urlencode "file=$HOME/CMIP6/*"';

const folder = freshFolder();
let clone: string;
let service: Serving;
let password: string;
/** The environment of a page's first block, without the virtual environment. */
let first: NodeJS.ProcessEnv;
/** The environment of the next block. */
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  build();
  clone = await freshClone();
  const home = join(folder, "home");
  // Folders with files that the pages assume. curl must fail if the service does.
  for (const [name, own] of [
    ["cmip5", "output"],
    ["CMIP6", "CMIP6"],
  ] as const) {
    await cp(packagePath("data", "files", name), join(home, own), { recursive: true });
  }
  await writeFile(join(home, ".curlrc"), "fail\nsilent\nshow-error\n");
  service = await Serving.start({ DATA_DIR: join(clone, "var") });
  // PORT: for commands that ask the service on this machine.
  first = { PATH: process.env.PATH, HOME: home, PORT: new URL(service.address).port };
  environment = first;
  password = /username demo, password (\S+)/.exec(service.output)?.[1] ?? "";
}, 180_000);
afterAll(() => service.end());

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return (await promisify(execFile)(command, [...args], { cwd: clone, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`);
  }
}

const RUN: Readonly<Record<string, (text: string, mark: string) => Promise<string>>> = {
  sh: async (text) => {
    const after = join(folder, "environment");
    // Exports all variables for the next block.
    const script = `set -aeo pipefail\n${text}\nset +a; env -0 > ${after}`;
    const terminal = [packagePath("test", "python", "terminal.py"), "bash", "-c", script];
    const stdout = await run("python3", terminal, { ...environment, PASSWORD: password });
    const lines = (await readFile(after, "utf8")).split("\0").slice(0, -1);
    const pair = (line: string) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)];
    environment = Object.fromEntries(lines.map(pair));
    return stdout;
  },
  python: (text) => run("python", ["-c", text], environment),
  ts: async (text) => {
    await writeFile(join(clone, "block.ts"), text);
    return run("npx", ["tsx", "block.ts"], environment);
  },
  // A document, which is written to the file of the info string, one per line.
  json: async (text, name) => {
    await writeFile(join(clone, name), JSON.stringify(JSON.parse(text)));
    return "";
  },
};

const blocks = documents()
  .filter((path) => !(path in OTHER_TESTS))
  .flatMap((path) => codeBlocks(path))
  .filter(({ language }) => language in RUN);
const reason = ({ mark }: CodeBlock): string | undefined => /^no-test=(.+)$/.exec(mark)?.[1];

let page = "README.md";

describe("a code block of README.md and docs/", () => {
  it.each(blocks.filter((block) => reason(block) === undefined))(
    "runs as it is written: $path, $language, line $line",
    async (block) => {
      const { path, language, mark, text } = block;
      if (path !== page) environment = { ...first, PATH: environment.PATH };
      page = path;
      const address = new URL(service.address).host;
      const printed = await RUN[language]?.(text.replaceAll("127.0.0.1:7777", address), mark);
      expectOutput(block, printed ?? "");
    },
    120_000,
  );

  it("shows the files of the loaded folder", async () => {
    const API = `${service.address}/api/climate-nextgen`;
    const { stdout } = await promisify(execFile)("bash", ["-ec", OWN_FILES], {
      env: { ...first, API },
    });
    expect(stdout.trim().split("\n")).toHaveLength(15);
  });

  it("is left out only for a known reason that still holds", () => {
    const reasons = blocks.map(reason).filter((one) => one !== undefined);
    expect([...new Set(reasons)].sort()).toEqual(Object.keys(NOT_RUN).sort());
  });

  it("shows no output without a test", () => {
    const shown = documents().flatMap((path) => codeBlocks(path).filter(({ output }) => output));
    const isRun = (block: CodeBlock) => block.language in RUN && reason(block) === undefined;
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((block) => !isRun(block))).toEqual([]);
  });

  it("is left to another test only if that exists", async () => {
    const tests = Object.values(NOT_RUN).flatMap(({ test }) => test ?? []);
    for (const path of [...tests, ...Object.values(OTHER_TESTS)]) await readFile(packagePath(path));
  });
});
