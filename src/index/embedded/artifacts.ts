/** The jars of solr/pom.xml: their folder, and the hashes in solr/artifacts.sha256 that they must have. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { packageRoot } from "../../platform/package-root.js";
import { SetupError } from "../collections/setup-error.js";

/** In the format of `sha256sum`: a hash, two blanks and a name per line. Written by scripts/artifacts.mjs. */
const artifactsPath = (): string => join(packageRoot(), "solr", "artifacts.sha256");

/**
 * Compares a folder of jars with the recorded hashes.
 *
 * @throws SetupError with the jars that differ, are not recorded, or are missing
 */
export async function verifyArtifacts(folder: string): Promise<void> {
  const lines = (await readFile(artifactsPath(), "utf8")).trim().split("\n");
  const recorded = new Map(
    lines.map((line) => {
      const [hash = "", name = ""] = line.split("  ");
      return [name, hash] as const;
    }),
  );
  const wrong: string[] = [];
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (recorded.get(name) !== hash) wrong.push(name);
    recorded.delete(name);
  }
  wrong.push(...recorded.keys());
  if (wrong.length === 0) return;
  throw new SetupError(
    `Jars of Apache Solr do not match solr/artifacts.sha256: ${wrong.slice(0, 5).join(", ")}. They were not run; check the repositories in Maven's settings.`,
  );
}

/** The version of the jars: solr/pom.xml and their hashes, as one text. */
export function jarsVersion(): string {
  const hash = createHash("sha256");
  for (const path of [join(packageRoot(), "solr", "pom.xml"), artifactsPath()]) {
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

/**
 * The folder of the jars and of the class archive: solr/target in a clone. A package installed by npm may not be writable, and an update removes
 * it, so there it is a folder in the user's cache, one for each version of the jars.
 */
export function jarFolder(): string {
  const root = packageRoot();
  if (!root.split(sep).includes("node_modules")) return join(root, "solr", "target");
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "climate-nextgen", `solr-${jarsVersion().slice(0, 12)}`);
}
