import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { freshFolder } from "../../support/run/folders.js";
import { build, MAIN } from "../command.js";

beforeAll(build);

/** The packages that a command loads, as V8 tells of every script of the process. */
async function packagesOf(...parameters: string[]): Promise<string[]> {
  const folder = freshFolder();
  spawnSync(process.execPath, [MAIN, ...parameters], {
    env: { ...process.env, NODE_V8_COVERAGE: folder, DATA_DIR: folder },
  });
  const [report] = await readdir(folder).then((names) => names.filter((n) => /^cov/.test(n)));
  if (report === undefined) throw new Error("nothing is known of what was loaded");
  const { result } = JSON.parse(await readFile(join(folder, report), "utf8")) as {
    result: { url: string }[];
  };
  const found = result.flatMap(
    ({ url }) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [],
  );
  return [...new Set(found)].sort();
}

/** Milliseconds that a process takes, from its start to its end. */
function timeOf(...parameters: string[]): number {
  const begin = performance.now();
  const { status } = spawnSync(process.execPath, parameters);
  expect(status).toBe(0);
  return performance.now() - begin;
}

describe("the command line loads what it needs when it needs it", () => {
  it.each([
    ["--version"],
    ["--help"],
    ["serve", "--help"],
    ["users", "add", "--help"],
    ["user-data", "add", "--help"],
    ["no-such-command"],
  ])("loads only the reader of command lines for %s %s %s", async (...parameters) => {
    expect(await packagesOf(...parameters)).toEqual(["commander"]);
  });

  it("loads the settings for a command that has some", async () => {
    expect(await packagesOf("users", "list")).toContain("zod");
  });

  it("takes hardly longer than Node itself for --version", () => {
    const times = Array.from({ length: 9 }, () => ({
      ours: timeOf(MAIN, "--version"),
      bare: timeOf("-e", "0"),
    }));
    const ours = Math.min(...times.map((time) => time.ours));
    const bare = Math.min(...times.map((time) => time.bare));
    // 1.5 on a quiet machine; with all that the service loads it is 8.
    expect(ours / bare).toBeLessThan(3);
  });
});
