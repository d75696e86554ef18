/** Programs of Debian's packages, without installing them: this machine's, or unpacked into a folder of this clone. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";

export interface DebianProgram {
  /** Below /usr, or the root, such as `sbin/nginx`. */
  readonly path: string;
  /** The one that has the program first. */
  readonly packages: readonly [string, ...string[]];
}

export interface FoundProgram {
  readonly path: string;
  /** What its other files lie below: `/`, or the folder that holds the unpacked packages. */
  readonly root: string;
  /** With the libraries of the unpacked packages. */
  readonly env: NodeJS.ProcessEnv;
}

export const BUSYBOX: DebianProgram = { path: "bin/busybox", packages: ["busybox"] };
export const ARIA2: DebianProgram = {
  path: "bin/aria2c",
  packages: ["aria2", "libaria2-0", "libc-ares2", "libssh2-1"],
};
export const ZSH: DebianProgram = { path: "bin/zsh", packages: ["zsh", "zsh-common"] };
export const FISH: DebianProgram = {
  path: "bin/fish",
  packages: ["fish", "fish-common", "libpcre2-32-0"],
};

/**
 * The program; undefined where there is none to be had, which a test must not pass over in CI.
 *
 * Nothing is installed: packages are fetched and unpacked, for which nobody has to be root.
 */
export async function findProgram(program: DebianProgram): Promise<FoundProgram | undefined> {
  const [name] = program.packages;
  const root = packagePath("node_modules", ".cache", name);
  const find = (): FoundProgram | undefined => {
    const own = ["/usr", "/"]
      .map((top) => join(top, program.path))
      .find((path) => existsSync(path));
    if (own !== undefined) return { path: own, root: "/", env: process.env };
    // Some packages of Debian still have theirs in /bin itself.
    const places = [join(root, "usr", program.path), join(root, program.path)];
    const path = places.find((place) => existsSync(place));
    const libraries = join(root, "usr", "lib", `${architecture()}-linux-gnu`);
    const env = { ...process.env, LD_LIBRARY_PATH: libraries };
    return path === undefined ? undefined : { path, root, env };
  };
  const found = find();
  if (found !== undefined) return found;
  try {
    await mkdir(root, { recursive: true });
    const options = { cwd: root, stdio: "pipe", timeout: 120_000 } as const;
    execFileSync("apt-get", ["download", ...program.packages], options);
    // The first at last: as long as its program is not there, this is done again.
    for (const one of [...program.packages].reverse()) {
      execFileSync(
        "sh",
        ["-c", `for archive in ${one}_*.deb; do dpkg -x "$archive" .; done`],
        options,
      );
    }
    return find();
  } catch (error) {
    if (process.env.CI === "true") throw new Error(`${name} cannot be had`, { cause: error });
    console.warn(`${name} cannot be had: what is said of it is not tried.`);
    return undefined;
  }
}

const architecture = (): string => (process.arch === "arm64" ? "aarch64" : "x86_64");
