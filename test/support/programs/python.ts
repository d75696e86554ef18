/** Real Python clients, in virtual environments that the tests make themselves. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "../../../src/platform/package-root.js";
import { folderOf, madeFolder, makeFolder, movePrograms, type Recipe } from "./made-folder.js";

const run = promisify(execFile);

/** Each has a file with its packages beside this one. */
const ENVIRONMENTS = {
  data: { what: "Python that reads climate data", file: "requirements.txt" },
  zarr2: { what: "Python with zarr-python 2", file: "requirements-zarr2.txt" },
  tables: { what: "Python that reads CSV and Parquet", file: "requirements-tables.txt" },
  stac: { what: "Python with STAC clients", file: "requirements-stac.txt" },
  esgf: { what: "Python with ESGF clients", file: "requirements-esgf.txt" },
  shell: { what: "shellcheck", file: "requirements-shell.txt" },
} as const;
export type Environment = keyof typeof ENVIRONMENTS;

const requirementsOf = (name: Environment): string =>
  packagePath("test", "support", "programs", ENVIRONMENTS[name].file);

const recipeOf = (name: Environment): Recipe => ({
  what: ENVIRONMENTS[name].what,
  text: readFileSync(requirementsOf(name), "utf8"),
  proof: join("bin", "python"),
});

/** The folder of an environment's programs. @throws if the environment is not made */
export const binOf = (name: Environment): string => join(madeFolder(recipeOf(name)), "bin");

/** @throws if the environment is not made */
export const pythonOf = (name: Environment = "data"): string => join(binOf(name), "python");

/** Makes an environment if it is missing. */
export async function makePython(name: Environment = "data"): Promise<void> {
  const recipe = recipeOf(name);
  await makeFolder(recipe, async (draft) => {
    await run("python3", ["-m", "venv", draft]);
    // Modules are compiled when they are imported first: most of them never are.
    const install = ["-m", "pip", "install", "--quiet", "--no-compile", "-r", requirementsOf(name)];
    await run(join(draft, "bin", "python"), install, { maxBuffer: 64 << 20 });
    await movePrograms(join(draft, "bin"), draft, folderOf(recipe));
  });
}

/** Runs a script and gives what it prints; this thread stays free to serve it meanwhile. */
export async function runPython(
  args: readonly string[],
  interpreter = pythonOf(),
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
  interpreter = pythonOf(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const running = run(interpreter, [...args], { maxBuffer: 64 << 20, env });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** The program shellcheck. */
export const shellcheck = (): string => join(binOf("shell"), "shellcheck");
