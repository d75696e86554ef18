/** The command line, as a process of its own or within this one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { packagePath } from "../../../src/platform/package-root.js";
import { build, MAIN as COMPILED } from "../../cli/command.js";
import { runHere as here } from "./command-here.js";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

build();
export const MAIN = [COMPILED];

/** Runs a command to its end; standard input has `input` and is no terminal. */
export async function run(
  args: readonly string[],
  env: Record<string, string>,
  input = "",
): Promise<Outcome> {
  // A session of its own, so that it has no terminal to ask on.
  const child = spawn(process.execPath, [...MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    cwd: packagePath(),
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (piece) => {
    stdout += piece;
  });
  child.stderr.on("data", (piece) => {
    stderr += piece;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** The same within this process, for commands that ask nothing on a terminal: it takes a tenth of the time. */
export async function runHere(
  args: readonly string[],
  env: Record<string, string>,
  input = "",
): Promise<Outcome> {
  const given = { env: { PATH: process.env.PATH, ...env }, cwd: packagePath(), input };
  const { status, stdout, stderr } = await here(args, given);
  return { code: status, stdout, stderr };
}
