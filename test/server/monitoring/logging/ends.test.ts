/** Lines of the log reach the output although they are collected first, however the process ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { packagePath } from "../../../../src/platform/package-root.js";
import { freshFolder } from "../../../support/run/folders.js";

const LINES = 2000;

const folder = freshFolder();

/** Runs a process that logs lines at once and then does something. */
async function ended(name: string, then: string) {
  const script = join(folder, `${name}.mts`);
  const log = packagePath("src", "server", "monitoring", "logging", "log.ts");
  await writeFile(
    script,
    `import { openLog } from ${JSON.stringify(log)};
    const log = openLog("info");
    process.once("SIGTERM", () => process.exit(0));
    for (let n = 0; n < ${LINES}; n += 1) log.info({ n }, "request");
    ${then}`,
  );
  const args = ["--import", import.meta.resolve("tsx"), script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  const numbers = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { n: number }).n);
  return { numbers, errors, code };
}

const all = Array.from({ length: LINES }, (_, n) => n);

describe("the log", () => {
  it("has every line of a process that gets SIGTERM", async () => {
    const { numbers, code } = await ended(
      "told",
      'process.kill(process.pid, "SIGTERM");\nsetInterval(() => {}, 1000);',
    );
    expect(numbers).toEqual(all);
    expect(code).toBe(0);
  });

  it("has every line of a process that crashes", async () => {
    const { numbers, errors, code } = await ended("crashed", 'throw new Error("a fault");');
    expect(numbers).toEqual(all);
    expect(errors).toContain("a fault");
    expect(code).not.toBe(0);
  });

  it("has every line of a process that fails in a promise", async () => {
    const { numbers, code } = await ended(
      "rejected",
      'void Promise.reject(new Error("a fault"));\nsetInterval(() => {}, 1000);',
    );
    expect(numbers).toEqual(all);
    expect(code).not.toBe(0);
  });

  it("has every line of a process that has nothing more to do", async () => {
    expect((await ended("done", "")).numbers).toEqual(all);
  });
});
