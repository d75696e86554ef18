/** Linters of OpenAPI documents, of fixed versions, in a folder that the tests make themselves. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "../../src/platform/package-root.js";

/** No dependencies of the service: with them, every first start would fetch seventy megabytes more. */
const TOOLS = { "@redocly/cli": "2.77.0", "@stoplight/spectral-cli": "6.16.3" };

const run = promisify(execFile);

/** Installs them where they are missing, whoever else does so; for a beforeAll with some minutes of time. */
export async function ensureContractTools(): Promise<string> {
  const wanted = JSON.stringify({ private: true, dependencies: TOOLS });
  const stamp = createHash("sha256").update(wanted).digest("hex").slice(0, 12);
  const folder = packagePath("node_modules", ".cache", `contract-tools-${stamp}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(fresh, "package.json"), wanted);
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["install", ...options], { cwd: fresh, timeout: 600_000 });
    // Whole or not at all; where another run was faster, its folder is as good.
    await rename(fresh, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every finding with the recommended rules, warnings too; "" where there is none. */
export async function findings(tool: "redocly" | "spectral", document: string): Promise<string> {
  const folder = await ensureContractTools();
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
