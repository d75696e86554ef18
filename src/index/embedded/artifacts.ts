/** The jars of solr/pom.xml are those whose hashes stand in solr/artifacts.sha256, and no others. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.js";
import { SetupError } from "../collections/setup-error.js";

/** `sha256sum`'s form: a hash, two blanks and a name on each line; scripts/artifacts.mjs writes it. */
export const artifactsPath = (): string => join(packageRoot(), "solr", "artifacts.sha256");

/**
 * Holds a folder of jars against the recorded hashes.
 *
 * @throws SetupError that names jars which are others than recorded, not recorded, or missing
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
    `Jars of Apache Solr are not those that solr/artifacts.sha256 records: ${wrong.slice(0, 5).join(", ")}. Nothing of them was run; check where Maven fetches from.`,
  );
}
