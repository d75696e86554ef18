/** Linters of OpenAPI documents, of fixed versions, in a folder that the tests make themselves. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type NpmPackages, npmFolder } from "../programs/npm-folder.js";

/** No dependencies of the service: with them, every first start would fetch seventy megabytes more. */
export const CONTRACT_TOOLS: NpmPackages = {
  what: "linters of OpenAPI documents",
  dependencies: { "@redocly/cli": "2.77.0", "@stoplight/spectral-cli": "6.16.3" },
};

const run = promisify(execFile);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every finding with the recommended rules, warnings too; "" where there is none. */
export async function findings(tool: "redocly" | "spectral", document: string): Promise<string> {
  const folder = npmFolder(CONTRACT_TOOLS);
  const ruleset = join(folder, `${tool}.yaml`);
  const { rules, words } = {
    redocly: { rules: "recommended", words: ["--config", ruleset, "--format=json"] },
    spectral: { rules: "spectral:oas", words: ["--ruleset", ruleset, "--fail-severity=hint"] },
  }[tool];
  await writeFile(ruleset, `extends: ["${rules}"]\n`);
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { code, stdout, stderr }: Outcome = await run(
    join(folder, "node_modules", ".bin", tool),
    ["lint", document, ...words],
    { env: { ...process.env, ...quiet }, maxBuffer: 64 << 20 },
  ).then(
    (done) => ({ code: 0, ...done }),
    (failed) => failed,
  );
  if (tool === "spectral") return code === 0 ? "" : stdout + stderr;
  // It says only of errors that it failed.
  const { problems } = JSON.parse(stdout) as { problems: unknown[] };
  return problems.map((one) => JSON.stringify(one)).join("\n");
}
