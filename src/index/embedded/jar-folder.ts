/** Where Solr's jars are kept, and what is made of them once. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { packageRoot } from "../../platform/package-root.js";
import { artifactsPath } from "./artifacts.js";

/** What the jars must be: solr/pom.xml and their hashes, as one text. */
export function jarsVersion(): string {
  const hash = createHash("sha256");
  for (const path of [join(packageRoot(), "solr", "pom.xml"), artifactsPath()]) {
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

/**
 * In a clone solr/target. A package that npm has installed may belong to somebody else, and goes with its next
 * version: then it is a folder of the user's cache, for each version of the jars.
 */
export function jarFolder(env = process.env): string {
  const root = packageRoot();
  if (!root.split(sep).includes("node_modules")) return join(root, "solr", "target");
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "climate-nextgen", `solr-${jarsVersion().slice(0, 12)}`);
}
