/**
 * Every code block of README.md runs as it is written, one after the other as a reader runs them, beside a service as
 * a first start brings it up. There are two rules, and a few blocks are tested elsewhere.
 *
 * - The service listens where a port is free, so `127.0.0.1:7777` is another address here.
 * - Where a command asks for a password, the one of the user demo is typed that the first start has printed.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../src/platform/package-root.js";
import { build, Serving } from "./cli/command.js";
import { type CodeBlock, codeBlocks, freshClone } from "./support/readme.js";

/** What is not run here, by the beginning of the block, and the test that shows it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm start ": "test/cli/serve.test.ts",
  "export SOLR_URL": "test/solr/upgrade-outside.test.ts",
  "npx climate-nextgen solr upgrade": "test/solr/upgrade.test.ts",
};

/** 16 files, two of which are versions of one. */
const OWN_FILES =
  'curl -G $API/databrowser/data-search/cmip6/file --data-urlencode "file=$HOME/CMIP6/*"';

let folder: string;
let clone: string;
let service: Serving;
let password: string;
/** What a reader's shell has: kept from one block to the next. */
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), "climate-readme-"));
  clone = freshClone();
  const home = join(folder, "home");
  // What the README takes for granted: folders with files of one's own. And curl must fail where the service does.
  for (const [name, own] of [
    ["cmip5", "output"],
    ["CMIP6", "CMIP6"],
  ] as const) {
    await cp(packagePath("data", "files", name), join(home, own), { recursive: true });
  }
  await makeOlder(join(home, "CMIP6"));
  await writeFile(join(home, ".curlrc"), "fail\nsilent\nshow-error\n");
  environment = { PATH: process.env.PATH, HOME: home };
  service = await Serving.start({ DATA_DIR: join(clone, "var") });
  // Commands that ask the service itself find it where it would be.
  environment.PORT = new URL(service.address).port;
  password = /username demo, password (\S+)/.exec(service.output)?.[1] ?? "";
}, 180_000);
afterAll(async () => {
  await service.end();
  await rm(folder, { recursive: true, force: true });
});

/** A crawl leaves files for the next time that may still be written. */
async function makeOlder(root: string): Promise<void> {
  const before = Date.now() / 1000 - 3600;
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    await utimes(join(entry.parentPath ?? entry.path, entry.name), before, before);
  }
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return (await promisify(execFile)(command, [...args], { cwd: clone, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`);
  }
}

const RUN: Readonly<Record<string, (text: string) => Promise<string>>> = {
  sh: async (text) => {
    const after = join(folder, "environment");
    // All that is set goes on to the next block.
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
  // A document of the catalogue that is loaded next.
  json: async (text) => {
    await writeFile(join(clone, "catalogue.jsonl"), JSON.stringify(JSON.parse(text)));
    return "";
  },
};

const blocks = codeBlocks().filter(({ language }) => language !== "");
const isElsewhere = ({ text }: CodeBlock): boolean =>
  Object.keys(ELSEWHERE).some((beginning) => text.startsWith(beginning));

describe("a code block of the README", () => {
  it.each(blocks.filter((block) => !isElsewhere(block)))(
    "runs as it is written: $language, line $line",
    async ({ language, text }) => {
      const address = new URL(service.address).host;
      const shown = await RUN[language]?.(text.replaceAll("127.0.0.1:7777", address));
      expect(shown, `the README has a block of ${language}`).toBeDefined();
    },
    120_000,
  );

  it("shows the files of the folder that was loaded", async () => {
    const { stdout } = await promisify(execFile)("bash", ["-ec", OWN_FILES], {
      env: { ...environment },
    });
    expect(stdout.trim().split("\n")).toHaveLength(15);
  });

  it("is left to another test only where that is there", async () => {
    expect(blocks.filter(isElsewhere)).toHaveLength(Object.keys(ELSEWHERE).length);
    for (const path of Object.values(ELSEWHERE)) await readFile(packagePath(path));
  });
});
