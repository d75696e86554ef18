/** How a reading process is started, and what is kept from it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withoutTrailing } from "../../../platform/trailing-characters.js";

export interface StartOptions {
  /** Folders below which files may be opened; undefined: any file, for whoever reads what is their own. */
  readonly dataRoots?: readonly string[];
  /** Bytes that it may take beyond what it has at rest. */
  readonly memory: number;
  /** What runs in it: a test may have something of its own. */
  readonly script?: URL;
}

const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);
const SHELL = "/bin/sh";

/**
 * Ends the process when the service does, however that ends: a decoder in a loop does not see that its pipes are closed.
 * The descriptor 4 is open as long as the service lives. The limits hold where nobody looks: on data in kB, far above what
 * the service itself allows, and on core dumps, which would leave on disk what was read.
 */
const KEEPER = `
ulimit -c 0; ulimit -d "$1" 2>/dev/null; shift
(exec </dev/null >/dev/null 2>&1 3>&-; read _ <&4; kill -9 $$) &
exec "$@" 4<&-
`;
/** Bytes that V8 reserves for itself as data before anything is read, with room to spare. */
const RESERVED = 3 * 2 ** 30;

/** The pipes of a reading process: orders, nothing, what it complains of, answers, and what tells that the service lives. */
const STDIO = ["pipe", "ignore", "pipe", "pipe", "pipe"] as const;

/**
 * Starts a reading process.
 *
 * It has no environment, none of the service's descriptors and another working folder; built, it may open files below the
 * data roots and its own code, write nothing and start nothing (Node's permission model). It leads a group of its own, so
 * that Ctrl+C in a terminal is for the service to act on.
 */
export function startReader({ dataRoots, memory, script = WORKER }: StartOptions): ChildProcess {
  const source = script.href.endsWith(".ts");
  const heap = Math.max(64, Math.floor(memory / 2 ** 20));
  const command = [
    process.execPath,
    `--max-old-space-size=${heap}`,
    "--expose-gc",
    ...(source ? ["--import", tsxLoader()] : permissions(dataRoots)),
    fileURLToPath(script),
  ];
  const limit = String(Math.floor((memory + RESERVED) / 1024));
  const [file = "", ...others] = existsSync(SHELL)
    ? [SHELL, "-c", KEEPER, "reader", limit, ...command]
    : command;
  return spawn(file, others, { cwd: "/", env: environment(), stdio: [...STDIO], detached: true });
}

/** What keeps reading processes from less than they should be kept from here, in sentences for whoever looks after the service. */
export function weaknesses(): string[] {
  return [
    ...(WORKER.href.endsWith(".ts")
      ? ["run from its sources, processes that read files may open any file: build the service"]
      : []),
    ...(existsSync(SHELL)
      ? []
      : [
          `without ${SHELL}, a process that reads files may outlive the service until its work is done`,
        ]),
  ];
}

/** What the dynamic linker of some installations needs, and nothing else. */
function environment(): NodeJS.ProcessEnv {
  const { LD_LIBRARY_PATH: libraries } = process.env;
  return libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };
}

/** TypeScript, under tsx or vitest, which Node 20 cannot load by itself. */
function tsxLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
}

/** Packages that a reading process loads. */
const PACKAGES = ["h5wasm", "h5wasm-plugins", "fflate", "zarrita", "@zarrita/storage", "numcodecs"];

/** Where a process asks what it has opened. */
const OWN = "/proc/self/fd/";

function permissions(dataRoots: readonly string[] | undefined): string[] {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const flag = major < 23 ? "--experimental-permission" : "--permission";
  const allowed =
    dataRoots === undefined ? ["*"] : [...codeFolders(), OWN, ...withTargets(dataRoots)];
  return [flag, "--no-warnings", ...allowed.map((path) => `--allow-fs-read=${path}`)];
}

/** The folders of this package's code, and of the packages it loads. */
function codeFolders(): string[] {
  // The folder that holds src/: dist/ in a built package, the checkout in tests.
  const built = resolve(fileURLToPath(import.meta.url), "../../../../..");
  const folders = [built, ...PACKAGES.flatMap(packageFolders)];
  return [...new Set(folders.map((folder) => folder + sep)), join(dirname(built), "package.json")];
}

/** Where a package is, as it is named and as it is found. */
function packageFolders(name: string): string[] {
  const searched = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = searched.map((path) => join(path, name)).find((path) => existsSync(path));
  return folder === undefined ? [] : [folder, realpathSync(folder)];
}

/** Folders as they are named, and as they are found: a link may lead to them. */
function withTargets(folders: readonly string[]): string[] {
  const targets = folders.map((folder) => {
    try {
      return realpathSync(folder);
    } catch {
      // Not there yet.
      return folder;
    }
  });
  const all = [
    ...new Set([...folders, ...targets].map((each) => `${withoutTrailing(each, "/")}/`)),
  ];
  // Node 20 breaks on some lists in which one folder is within another, and they say nothing more.
  return all.filter((each) => !all.some((other) => other !== each && each.startsWith(other)));
}
