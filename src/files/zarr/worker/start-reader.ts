/** Starts reading processes, confined as far as the system allows. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutTrailing } from "../../../platform/trailing-characters.js";
import { runnable } from "../../../platform/workers/start-worker.js";

interface StartOptions {
  /** Folders below which files may be opened. Left out: any file, for people who read their own files. */
  readonly dataRoots?: readonly string[];
  /** Bytes that it may take beyond its memory at rest. */
  readonly memory: number;
  /** The program that it runs. Tests replace it. */
  readonly script?: URL;
}

const WORKER = new URL("./worker.js", import.meta.url);
const SHELL = "/bin/sh";

/**
 * Ends the process with the service, however that ends: a decoder in a loop does not notice that its pipes are closed.
 * Descriptor 4 stays open as long as the service lives. The limits are a second line: on data in kB, far above what the
 * service itself allows, and on core dumps, which would leave data on disk.
 */
const SUPERVISOR = `
ulimit -c 0; ulimit -d "$1" 2>/dev/null; shift
(exec </dev/null >/dev/null 2>&1 3>&-; read _ <&4; kill -9 $$) &
exec "$@" 4<&-
`;
/** Bytes that V8 reserves for itself as data before anything is read, with room to spare. */
const RESERVED = 3 * 2 ** 30;

/** The descriptors of a reading process: orders, nothing, errors, answers, and the pipe that lives with the service. */
const STDIO = ["pipe", "ignore", "pipe", "pipe", "pipe"] as const;

/**
 * Starts a reading process.
 *
 * It has no environment, none of the service's descriptors and another working folder. It may open files below the data
 * roots and its own code, write nothing and start nothing (Node's permission model). It leads a process group, so that Ctrl+C in a
 * terminal reaches only the service.
 */
export function startReader({ dataRoots, memory, script = WORKER }: StartOptions): ChildProcess {
  const heap = Math.max(64, Math.floor(memory / 2 ** 20));
  const program = runnable(script);
  const command = [
    process.execPath,
    `--max-old-space-size=${heap}`,
    "--expose-gc",
    ...permissions(program, dataRoots),
    program,
  ];
  const limit = String(Math.floor((memory + RESERVED) / 1024));
  const [file = "", ...others] = existsSync(SHELL)
    ? [SHELL, "-c", SUPERVISOR, "reader", limit, ...command]
    : command;
  return spawn(file, others, { cwd: "/", env: environment(), stdio: [...STDIO], detached: true });
}

/** The protections that reading processes lack on this machine, in sentences for the operator. */
export function weaknesses(): string[] {
  return existsSync(SHELL)
    ? []
    : [
        `without ${SHELL}, a process that reads files may outlive the service until its work is done`,
      ];
}

/** Only the variable that the dynamic linker of some installations needs. */
function environment(): NodeJS.ProcessEnv {
  const { LD_LIBRARY_PATH: libraries } = process.env;
  return libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };
}

/** Packages that a reading process loads. */
const PACKAGES = [
  "h5wasm",
  "h5wasm-plugins",
  "fflate",
  "lru-cache",
  "zarrita",
  "@zarrita/storage",
  "numcodecs",
];

/** Lists the descriptors of a process. */
const OWN_DESCRIPTORS = "/proc/self/fd/";

function permissions(program: string, dataRoots: readonly string[] | undefined): string[] {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const flag = major < 23 ? "--experimental-permission" : "--permission";
  // If node_modules is a link, a program that is made from TypeScript lies outside the folder of the code.
  const allowed =
    dataRoots === undefined
      ? ["*"]
      : [...codeFolders(), realpathSync(program), OWN_DESCRIPTORS, ...withTargets(dataRoots)];
  return [flag, "--no-warnings", ...allowed.map((path) => `--allow-fs-read=${path}`)];
}

/** The folders of this package's code, and of the packages it loads. */
function codeFolders(): string[] {
  // The folder that holds src/: dist/ in a built package, the checkout in tests.
  const built = resolve(fileURLToPath(import.meta.url), "../../../../..");
  const folders = [built, ...PACKAGES.flatMap(packageFolders)];
  return [...new Set(folders.map((folder) => folder + sep)), join(dirname(built), "package.json")];
}

/** The folder of a package, and the folder that it links to. */
function packageFolders(name: string): string[] {
  const searched = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = searched.map((path) => join(path, name)).find((path) => existsSync(path));
  return folder === undefined ? [] : [folder, realpathSync(folder)];
}

/** Folders, and the folders that they link to. */
function withTargets(folders: readonly string[]): string[] {
  const targets = folders.map((folder) => {
    try {
      return realpathSync(folder);
    } catch {
      // Does not exist yet.
      return folder;
    }
  });
  const all = [
    ...new Set([...folders, ...targets].map((each) => `${withoutTrailing(each, "/")}/`)),
  ];
  // A folder inside another one adds nothing, and Node 20 fails on some lists with both.
  return all.filter((each) => !all.some((other) => other !== each && each.startsWith(other)));
}
