/** Runs the tools that read access control lists; part of path-walk-program.ts. */
import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import type { NodeDraft } from "./node-facts.js";
import type { WalkSetup } from "./path-nodes.js";

const MAX_FILES = 200;
const MAX_CACHED = 50_000;
/** Bytes of a tool's output. */
const MAX_OUTPUT = 64 << 20;
/** Milliseconds. */
const TOOL_TIMEOUT = 4000;
/** The first descriptor behind the standard ones. */
const FIRST_FD = 3;
const FLAGS = ["-a", "-n", "-E", "-p", "-s"];

export interface OpenNode {
  readonly node: NodeDraft;
  readonly fd: number;
}

interface CachedList {
  readonly acl: string | undefined;
  /** By performance.now(). */
  readonly until: number;
}

export class ListTools {
  readonly #setup: WalkSetup;
  readonly #cache = new Map<string, CachedList>();

  constructor(setup: WalkSetup) {
    this.#setup = setup;
  }

  /** Sets `acl` of the nodes that have a list; nodes whose list cannot be read become `closed`. */
  addLists(nodes: readonly OpenNode[]): void {
    const uncached = nodes.filter(({ node }) => node.kind !== "closed" && !this.#fromCache(node));
    const posix = uncached.filter(({ node }) => node.kind === "posix");
    for (const some of batchesOf(posix, MAX_FILES)) this.#addPosix(some);
    for (const open of uncached) if (open.node.kind === "nfs4") this.#addNfs4(open);
    for (const { node } of uncached) if (node.kind !== "closed") this.#cacheList(node);
  }

  /**
   * The lists of files by their paths.
   *
   * @param paths without characters that getfacl escapes
   * @return `isWhole` is false if some of the files could not be read
   */
  listsByPath(paths: readonly string[]): {
    readonly lists: ReadonlyMap<string, string>;
    readonly isWhole: boolean;
  } {
    const input = paths.map((path) => `${path}\n`).join("");
    const { status, stdout } = run(this.#setup.getfacl, [...FLAGS, "-"], { input });
    return { lists: parseLists(stdout), isWhole: status === 0 };
  }

  #fromCache(node: NodeDraft): boolean {
    const cached = this.#cache.get(keyOf(node));
    if (cached === undefined || cached.until <= performance.now()) return false;
    if (cached.acl !== undefined) node.acl = cached.acl;
    return true;
  }

  #cacheList(node: NodeDraft): void {
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(keyOf(node), { acl: node.acl, until: performance.now() + this.#setup.ttl });
  }

  #addPosix(nodes: readonly OpenNode[]): void {
    const names = nodes.map((_, index) => `/proc/self/fd/${FIRST_FD + index}`);
    const result = run(this.#setup.getfacl, [...FLAGS, "--", ...names], {
      stdio: ["ignore", "pipe", "pipe", ...nodes.map(({ fd }) => fd)],
    });
    if (result.status !== 0) throw new Error(`getfacl failed: ${result.stderr.slice(0, 200)}`);
    const lists = parseLists(result.stdout);
    for (const [index, { node }] of nodes.entries()) {
      const acl = lists.get(names[index] ?? "");
      if (acl !== undefined) node.acl = acl;
    }
  }

  #addNfs4({ node, fd }: OpenNode): void {
    const { nfs4 } = this.#setup;
    const stdio: SpawnSyncOptions["stdio"] = ["ignore", "pipe", "pipe", fd];
    const result = nfs4 ? run(nfs4, [`/proc/self/fd/${FIRST_FD}`], { stdio }) : undefined;
    if (result?.status === 0) node.acl = result.stdout;
    else node.kind = "closed";
  }
}

const keyOf = ({ id, changed }: NodeDraft): string => `${id} ${changed}`;

function run(
  tool: string,
  args: readonly string[],
  options: SpawnSyncOptions,
): SpawnSyncReturns<string> {
  const result = spawnSync(tool, args, {
    ...options,
    timeout: TOOL_TIMEOUT,
    maxBuffer: MAX_OUTPUT,
    encoding: "utf8",
    env: { LC_ALL: "C" },
  });
  if (result.error) throw result.error;
  return result;
}

/** Output of getfacl -> list by file, for the files that have more than a mode. */
function parseLists(text: string): ReadonlyMap<string, string> {
  const HEADER = "# file: ";
  return new Map(
    text.split("\n\n").flatMap((block): [string, string][] => {
      const lines = block.split("\n").filter((line) => line !== "");
      const [first] = lines;
      if (first === undefined) return [];
      if (!first.startsWith(HEADER)) throw new Error("getfacl wrote something unexpected");
      return [
        [first.slice(HEADER.length), lines.filter((line) => !line.startsWith("#")).join("\n")],
      ];
    }),
  );
}
