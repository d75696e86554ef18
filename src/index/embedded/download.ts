import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isMissing } from "../../platform/errors.js";
import { packageRoot } from "../../platform/package-root.js";
import { waitForLock } from "../../platform/processes/process-lock.js";
import { scrubbedEnvironment } from "../../platform/processes/scrubbed-environment.js";
import { SetupError } from "../collections/setup-error.js";
import { jarFolder, jarsVersion, verifyArtifacts } from "./artifacts.js";
import { requireJava, requireMaven } from "./java.js";

/** Number of jars that a first download fetches, including those of Maven's plugins. */
const EXPECTED_JARS = 171;
const marker = ".complete";

/** The folder with Solr's jars, after `ensureSolrJars`. */
export function solrJars(): string {
  return join(jarFolder(), "lib");
}

/**
 * Downloads Solr's jars by Maven and solr/pom.xml. Does nothing, and needs no Maven, if they are complete for this pom.xml.
 *
 * @throws SetupError if Java or Maven is missing or too old, the download fails, or jars do not match the recorded hashes
 */
export async function ensureSolrJars(report: (line: string) => void): Promise<void> {
  await requireJava();
  const pom = join(packageRoot(), "solr", "pom.xml");
  const version = jarsVersion();
  if (await isComplete(version)) return;
  await requireMaven();
  const target = jarFolder();
  const lock = await waitForLock(join(target, "download.lock"), {
    onWait: (pid) => report(`Waiting for process ${pid}, which is already fetching Solr.`),
  });
  try {
    if (await isComplete(version)) return;
    // Left by an interrupted download.
    for (const name of await readdir(target)) {
      if (name.startsWith("lib.")) await rm(join(target, name), { recursive: true, force: true });
    }
    // A unique name: after a kill of its parent, an earlier Maven may still write to its folder.
    const draft = join(target, `lib.${randomBytes(6).toString("hex")}`);
    report("Fetching Apache Solr with Maven (55 MB, once).");
    await runMaven(pom, draft, report);
    await verifyArtifacts(draft);
    await writeFile(join(draft, marker), `${version}\n`);
    await rename(solrJars(), join(target, "lib.old")).catch(ignoreMissing);
    await rename(draft, solrJars());
    await rm(join(target, "lib.old"), { recursive: true, force: true });
    report("Apache Solr is complete.");
  } finally {
    await lock.release();
  }
}

async function isComplete(version: string): Promise<boolean> {
  try {
    return (await readFile(join(solrJars(), marker), "utf8")).trim() === version;
  } catch {
    return false;
  }
}

async function runMaven(pom: string, draft: string, report: (line: string) => void): Promise<void> {
  // -C: files that do not match the repository's checksum are an error, not only a warning.
  const args = ["-B", "-C", "-f", pom, `-Dlib.directory=${draft}`, "process-resources"];
  const maven = spawn("mvn", args, {
    env: scrubbedEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(maven, "close");
  const errors: string[] = [];
  maven.stderr.resume();
  let jars = 0;
  let tenths = 0;
  for await (const line of createInterface({ input: maven.stdout })) {
    if (line.startsWith("[ERROR]")) errors.push(line.slice("[ERROR]".length).trim());
    if (!line.includes("Downloaded from ") || !line.includes(".jar")) continue;
    jars += 1;
    const now = Math.min(9, Math.floor((jars * 10) / EXPECTED_JARS));
    if (now > tenths) report(`Fetching Apache Solr: ${now * 10}% (${jars} jars).`);
    tenths = Math.max(tenths, now);
  }
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  if (code === 0) return;
  const reason = errors.find((line) => line !== "") ?? `mvn ended with status ${code ?? signal}`;
  throw new SetupError(
    `Maven could not fetch Apache Solr (${reason.slice(0, 400)}); check the network or Maven's settings, or set SOLR_URL to a running Solr.`,
  );
}

function ignoreMissing(cause: unknown): void {
  if (!isMissing(cause)) throw cause;
}
