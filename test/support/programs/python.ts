/** Real Python clients, in a virtual environment that the tests make themselves. */
import { execFile, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "../../../src/platform/package-root.js";

const REQUIREMENTS = packagePath("test", "support", "programs", "requirements.txt");

function must(result: SpawnSyncReturns<string>, what: string): void {
  if (result.status !== 0) throw new Error(`${what} failed: ${result.error ?? result.stderr}`);
}

/**
 * Makes the environment once, and again when its requirements change; git ignores it.
 *
 * @returns the interpreter of `.venv`, with all that the tests import
 * @throws in a test, where there is none: it is to be made before, by an entry of needs.ts
 */
export function ensurePython(requirements = REQUIREMENTS, folder = packagePath(".venv")): string {
  const python = join(folder, "bin", "python");
  const stamp = join(folder, "requirements.sha256");
  const wanted = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return python;
  if (process.env.VITEST_POOL_ID !== undefined) {
    throw new Error(`${folder} is not made: name the test file in test/support/run/needs.ts`);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const options = { encoding: "utf8" } as const;
  must(spawnSync("python3", ["-m", "venv", folder], options), "python3 -m venv");
  // Modules are compiled when they are imported first: most of them never are.
  const install = ["-m", "pip", "install", "--quiet", "--no-compile", "-r", requirements];
  must(spawnSync(python, install, options), "pip install");
  writeFileSync(stamp, wanted);
  return python;
}

/** The interpreter of `.venv-zarr2`, with zarr-python 2 and the xarray of its time; as ensurePython. */
export function ensureZarr2(): string {
  const requirements = packagePath("test", "support", "programs", "requirements-zarr2.txt");
  return ensurePython(requirements, packagePath(".venv-zarr2"));
}

/** The interpreter of `.venv-tables`, with what reads CSV and Parquet; as ensurePython. */
export function ensureTables(): string {
  const requirements = packagePath("test", "support", "programs", "requirements-tables.txt");
  return ensurePython(requirements, packagePath(".venv-tables"));
}

/** The program shellcheck, in `.venv-shell`; as ensurePython. */
export function ensureShellcheck(): string {
  const requirements = packagePath("test", "support", "programs", "requirements-shell.txt");
  return join(ensurePython(requirements, packagePath(".venv-shell")), "..", "shellcheck");
}

/** The interpreter of `.venv-stac`, with clients and validators of STAC; as ensurePython. */
export function ensureStac(): string {
  const requirements = packagePath("test", "support", "programs", "requirements-stac.txt");
  return ensurePython(requirements, packagePath(".venv-stac"));
}

/** The interpreter of `.venv-esgf`, with the clients of ESGF; as ensurePython. */
export function ensureEsgf(): string {
  const requirements = packagePath("test", "support", "programs", "requirements-esgf.txt");
  return ensurePython(requirements, packagePath(".venv-esgf"));
}

const run = promisify(execFile);

/** Runs a script and gives what it prints; this thread stays free to serve it meanwhile. */
export async function runPython(
  args: readonly string[],
  interpreter = ensurePython(),
): Promise<string> {
  const { stdout } = await run(interpreter, [...args], { maxBuffer: 64 << 20 });
  return stdout;
}

/** Runs a script of test/python. */
export function python(script: string, ...parameters: string[]): Promise<string> {
  return runPython([packagePath("test", "python", script), ...parameters]);
}

/** Runs a script that reads what it is given on its standard input; as runPython. */
export async function runWithInput(
  args: readonly string[],
  input: string,
  interpreter = ensurePython(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const running = run(interpreter, [...args], { maxBuffer: 64 << 20, env });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
