import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isMissing } from "../../platform/errors.js";
import { packageRoot } from "../../platform/package-root.js";
import { waitForLock } from "../../platform/process-lock.js";
import { openEnvironment } from "../../platform/scrubbed-environment.js";
import { SetupError } from "../collections/setup-error.js";
import { verifyArtifacts } from "./artifacts.js";
import { jarFolder, jarsVersion } from "./jar-folder.js";
import { requireJava, requireMaven } from "./java.js";

/** What a machine without any of the jars fetches: those of Solr and those of Maven's own plugins. */
const expectedJars = 171;
const marker = ".complete";

/** The folder that holds Solr's jars once `ensureSolrJars` has run. */
export function solrJars(): string {
  return join(jarFolder(), "lib");
}

/**
 * Makes Solr's jars be there, by Maven and solr/pom.xml. Does nothing, and needs no Maven, when they are
 * complete for this pom.xml. `report` gets a line per tenth of the download.
 *
 * Throws SetupError when Java or Maven is missing or too old, when the download fails, or when it gives other jars
 * than those that are recorded.
 */
export async function ensureSolrJars(report: (line: string) => void): Promise<void> {
  await requireJava();
  const pom = join(packageRoot(), "solr", "pom.xml");
  const version = jarsVersion();
  if (await isComplete(version)) return;
  await requireMaven();
  const target = jarFolder();
  const lock = await waitForLock(join(target, "download.lock"), {
    onWait: (pid) => report(`Waiting for process ${pid}, which fetches Solr already.`),
  });
  try {
    if (await isComplete(version)) return;
    // What an interrupted download left behind.
    for (const name of await readdir(target)) {
      if (name.startsWith("lib.")) await rm(join(target, name), { recursive: true, force: true });
    }
    // A name of its own: a Maven whose starter was killed may still write to the folder it was given.
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
  // -C: what does not match the repository's own checksum is refused, and not only warned of.
  const args = ["-B", "-C", "-f", pom, `-Dlib.directory=${draft}`, "process-resources"];
  const maven = spawn("mvn", args, {
    env: openEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: string[] = [];
  maven.stderr.resume();
  let jars = 0;
  let tenths = 0;
  for await (const line of createInterface({ input: maven.stdout })) {
    if (line.startsWith("[ERROR]")) errors.push(line.slice("[ERROR]".length).trim());
    if (!line.includes("Downloaded from ") || !line.includes(".jar")) continue;
    jars += 1;
    const now = Math.min(9, Math.floor((jars * 10) / expectedJars));
    if (now > tenths) report(`Fetching Apache Solr: ${now * 10}% (${jars} jars).`);
    tenths = Math.max(tenths, now);
  }
  const status = await exitStatus(maven);
  if (status === 0) return;
  const reason = errors.find((line) => line !== "") ?? `mvn ended with status ${status}`;
  throw new SetupError(
    `Maven could not fetch Apache Solr (${reason.slice(0, 400)}); check the network or Maven's settings, or set SOLR_URL to a Solr that runs already.`,
  );
}

function exitStatus(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  if (child.signalCode !== null) return Promise.resolve(child.signalCode);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

function ignoreMissing(cause: unknown): void {
  if (!isMissing(cause)) throw cause;
}
