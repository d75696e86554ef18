import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { scrubbedEnvironment } from "../../platform/processes/scrubbed-environment.js";
import { SetupError } from "../collections/setup-error.js";

const run = promisify(execFile);

/** The java command: of JAVA_HOME, else from the PATH. */
export function javaCommand(): string {
  const home = process.env.JAVA_HOME;
  return home === undefined || home === "" ? "java" : join(home, "bin", "java");
}

/** Checks that Java 17 or newer is installed. */
export async function requireJava(): Promise<void> {
  // `openjdk version "17.0.15"`; Java 8 calls itself "1.8".
  const text = await output(javaCommand(), ["-version"]);
  requireVersion("Java", "17", /version "([\d.]+)/.exec(text)?.[1]);
}

/** Checks that Maven 3.8 or newer is installed. */
export async function requireMaven(): Promise<void> {
  const text = await output("mvn", ["-B", "--version"]);
  requireVersion("Maven", "3.8", /Apache Maven (\d+(?:\.\d+)*)/.exec(text)?.[1]);
}

function requireVersion(tool: string, needed: string, found: string | undefined): void {
  if (found !== undefined && atLeast(found, needed)) return;
  const state = found === undefined ? "none was found" : `found ${found}`;
  throw new SetupError(
    `The embedded Solr needs ${tool} ${needed} or newer (${state}); install it, or set SOLR_URL to a running Solr.`,
  );
}

function atLeast(found: string, needed: string): boolean {
  const [a, b] = [found, needed].map((text) => text.split(".").map(Number));
  for (const [i, want] of (b ?? []).entries()) {
    const have = a?.[i] ?? 0;
    if (have !== want) return have > want;
  }
  return true;
}

/** The output of a command; empty if it is missing or fails. */
async function output(command: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(command, [...args], {
      timeout: 60_000,
      env: scrubbedEnvironment(),
    });
    return stdout + stderr;
  } catch {
    return "";
  }
}
