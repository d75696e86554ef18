/** `npx climate-nextgen` in a clone, after each way to make or replace the compiled command. */
import { execFile } from "node:child_process";
import { cp, mkdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../../support/run/folders.js";
import { build } from "../command.js";

const PATIENCE = { timeout: 600_000 };
/** All that the steps below read. */
const SOURCES = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  "tsconfig.json",
  "tsconfig.build.json",
  "openapi.yaml",
  "src",
  "generated",
  "web",
  "scripts",
  "solr/artifacts.sha256",
  "solr/artifacts.maven",
  "solr/pom.xml",
];

let clone: string;
let env: Record<string, string>;

async function makeClone(): Promise<void> {
  await rm(clone, { recursive: true, force: true });
  await mkdir(clone);
  for (const path of SOURCES) await cp(packagePath(path), join(clone, path), { recursive: true });
  await symlink(packagePath("node_modules"), join(clone, "node_modules"));
}

const execute = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: clone, env, maxBuffer: 16 << 20 });
const setUp = () => execute(process.execPath, join("scripts", "setup.mjs"));
const npxVersion = async () => (await execute("npx", "climate-nextgen", "--version")).stdout;

beforeAll(async () => {
  // The stamps in node_modules are then those of these sources.
  build();
  const folder = freshFolder();
  clone = join(folder, "clone");
  // npx remembers in its cache which folders it has used.
  env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    npm_config_cache: join(folder, "npm"),
    npm_config_update_notifier: "false",
  };
  await makeClone();
  await setUp();
  await npxVersion();
}, 600_000);

describe("npx climate-nextgen after a failure", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["after npm run build", () => execute("npm", "run", "build")],
    ["after npm run release", () => execute("npm", "run", "release", "--", join(clone, "made"))],
    [
      "after dist is removed and set up",
      async () => {
        await rm(join(clone, "dist"), { recursive: true });
        await setUp();
      },
    ],
    [
      "in a new clone at the same path",
      async () => {
        await makeClone();
        await setUp();
      },
    ],
  ])("runs again: %s", PATIENCE, async (_, replace) => {
    const before = await stat(join(clone, "dist", "src", "main.js"));
    await replace();
    const { mtimeMs } = await stat(join(clone, "dist", "src", "main.js"));
    expect(mtimeMs).toBeGreaterThan(before.mtimeMs);
    expect(await npxVersion()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
