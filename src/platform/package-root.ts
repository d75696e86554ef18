/** Paths of the package's own files. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let root: string | undefined;

/**
 * The folder of this package: the nearest one above this file that has solr/pom.xml. The code runs from src/ in tests and
 * from dist/src/ when built, so a fixed number of `..` would be wrong in one of them.
 */
export function packageRoot(): string {
  if (root === undefined) {
    let folder = dirname(fileURLToPath(import.meta.url));
    while (!existsSync(join(folder, "solr", "pom.xml"))) {
      const parent = dirname(folder);
      if (parent === folder)
        throw new Error(
          "solr/pom.xml was not found in any folder above the program; install the package again",
        );
      folder = parent;
    }
    root = folder;
  }
  return root;
}

export function packagePath(...parts: string[]): string {
  return join(packageRoot(), ...parts);
}

/** The parts of package.json that the service uses. */
interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly engines: { readonly node: string };
}

export const readManifest = (): Manifest =>
  JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as Manifest;
