/** Verifies the jars of solr/pom.xml against the hashes in solr/artifacts.sha256. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.js";
import { SetupError } from "../collections/setup-error.js";

/** In the format of `sha256sum`: a hash, two blanks and a name per line. Written by scripts/artifacts.mjs. */
export const artifactsPath = (): string => join(packageRoot(), "solr", "artifacts.sha256");

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
