/** Programs of Debian's packages: the machine's, or unpacked into the user's cache, for which nobody has to be root. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { folderOf, makeFolder, type Recipe } from "./made-folder.js";

const run = promisify(execFile);

export interface DebianProgram {
  /** Below /usr, or the root, such as `sbin/nginx`. */
  readonly path: string;
  readonly package: string;
  /** Packages that it uses and does not require. */
  readonly more?: readonly string[];
}

export interface FoundProgram {
  readonly path: string;
  /** The root of its other files: `/`, or the folder that holds the unpacked packages. */
  readonly root: string;
  /** With the libraries of the unpacked packages. */
  readonly env: NodeJS.ProcessEnv;
}

export const ACL: DebianProgram = { path: "bin/setfacl", package: "acl" };
export const BUSYBOX: DebianProgram = { path: "bin/busybox", package: "busybox" };
export const ARIA2: DebianProgram = { path: "bin/aria2c", package: "aria2" };
/** Without the parts that draw windows: it takes two thirds of the processor time. */
export const CHROMIUM: DebianProgram = {
  path: "lib/chromium/chromium-headless-shell",
  package: "chromium-headless-shell",
};
export const FISH: DebianProgram = { path: "bin/fish", package: "fish" };
export const NGINX: DebianProgram = { path: "sbin/nginx", package: "nginx" };
export const PROMTOOL: DebianProgram = { path: "bin/promtool", package: "prometheus" };
export const ZSH: DebianProgram = { path: "bin/zsh", package: "zsh" };

/** The file of an unpacked program that lists the folders of its libraries, one a line. */
const LIBRARIES = "libraries";

const recipeOf = ({ package: name, more = [] }: DebianProgram): Recipe => {
  const system = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  return { what: name, text: [...more, system].join("\n") };
};

/** In CI a slow test passes over nothing: its file is to be named in needs.ts. */
const MUST_BE_THERE =
  process.env.CI === "true" &&
  process.env.VITEST_POOL_ID !== undefined &&
  process.env.BOUNDS === "1";

/**
 * The program; undefined if it is neither on the machine nor made.
 *
 * @throws in a slow test in CI, where it must be made
 */
export function findProgram(program: DebianProgram): FoundProgram | undefined {
  const own = ["/usr", "/"].map((top) => join(top, program.path)).find((path) => existsSync(path));
  if (own !== undefined) return { path: own, root: "/", env: process.env };
  const root = folderOf(recipeOf(program));
  // Some packages of Debian still have theirs in /bin itself.
  const places = [join(root, "usr", program.path), join(root, program.path)];
  const path = places.find((place) => existsSync(place));
  if (path === undefined) {
    if (!MUST_BE_THERE) return undefined;
    throw new Error(
      `${program.package} is not made: name the test file in test/support/run/needs.ts`,
    );
  }
  const libraries = readFileSync(join(root, LIBRARIES), "utf8").trim().split("\n");
  const LD_LIBRARY_PATH = libraries.map((folder) => join(root, folder)).join(":");
  return { path, root, env: { ...process.env, LD_LIBRARY_PATH } };
}

/**
 * Unpacks the program with all that this machine lacks for it, unless it is there. Nothing is installed.
 *
 * @param change changes the unpacked files; gets their folder and the one where it will be
 */
export async function makeProgram(
  program: DebianProgram,
  change: (draft: string, folder: string) => unknown = () => {},
): Promise<void> {
  if (findProgram(program) !== undefined) return;
  const recipe = recipeOf(program);
  await makeFolder(recipe, async (draft) => {
    const apt = (...words: string[]) => run("apt-get", words, { cwd: draft, maxBuffer: 64 << 20 });
    const packages = [program.package, ...(program.more ?? [])];
    const list = () =>
      apt("install", "--print-uris", "-qq", "-y", "--no-install-recommends", ...packages);
    // A new machine has no lists of packages, and only root may fetch them.
    const { stdout } = await list().catch(async () => {
      await apt("-q", "-y", "-o", "DPkg::Lock::Timeout=300", "update");
      return await list();
    });
    const names = [...stdout.matchAll(/^'[^']*' ([^_]+)_/gm)].map(([, name = ""]) => name);
    await apt("download", ...names);
    const unpack = 'for archive in *.deb; do dpkg -x "$archive" . && rm "$archive"; done';
    const note = `find . -name '*.so*' -printf '%h\\n' | sort -u > ${LIBRARIES}`;
    await run("sh", ["-ec", `${unpack}; ${note}`], { cwd: draft });
    await change(draft, folderOf(recipe));
  });
}
