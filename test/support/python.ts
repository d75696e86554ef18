/** Real Python clients, in a virtual environment that the tests make themselves. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "../../src/package-root.js";

const run = promisify(execFile);

/** Made anew whenever the requirements change; git ignores it. */
async function makeEnvironment(): Promise<string> {
  const requirements = packagePath("test", "support", "requirements.txt");
  const wanted = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  const folder = packagePath(".venv");
  const stamp = join(folder, "requirements.sha256");
  const command = join(folder, "bin", "python");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return command;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await run("python3", ["-m", "venv", folder]);
  await run(command, ["-m", "pip", "install", "--quiet", "-r", requirements], {
    maxBuffer: 1 << 24,
  });
  await writeFile(stamp, wanted);
  return command;
}

let environment: Promise<string> | undefined;

/** Makes the virtual environment, once a run; for a beforeAll with some minutes of time. */
export async function preparePython(): Promise<void> {
  environment ??= makeEnvironment();
  await environment;
}

/**
 * Runs a script of test/python.
 *
 * @returns what it printed
 * @throws with what it printed on standard error when it fails
 */
export async function python(script: string, ...parameters: string[]): Promise<string> {
  await preparePython();
  const command = (await environment) ?? "";
  const path = packagePath("test", "python", script);
  const { stdout } = await run(command, [path, ...parameters], { maxBuffer: 1 << 26 });
  return stdout;
}
