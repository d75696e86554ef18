/** The folder of Solr's jars and of the class archive. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { packageRoot } from "../../platform/package-root.js";
import { artifactsPath } from "./artifacts.js";

/** The version of the jars: solr/pom.xml and their hashes, as one text. */
export function jarsVersion(): string {
  const hash = createHash("sha256");
  for (const path of [join(packageRoot(), "solr", "pom.xml"), artifactsPath()]) {
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

/**
 * The folder of the jars: solr/target in a clone. A package installed by npm may not be writable, and an update removes
 * it, so there it is a folder in the user's cache, one for each version of the jars.
 */
export function jarFolder(env = process.env): string {
  const root = packageRoot();
  if (!root.split(sep).includes("node_modules")) return join(root, "solr", "target");
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "climate-nextgen", `solr-${jarsVersion().slice(0, 12)}`);
}
