/**
 * Java's archive of the classes that a running Solr has loaded (JEP 350). With it, a start takes two thirds of the
 * processor time. It is made once for the installed Java, after the jars.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { newest } from "../../domain/search/lucene.js";
import { endsWithin, identify, signalProcess } from "../../platform/processes/process-identity.js";
import { waitForLock } from "../../platform/processes/process-lock.js";
import { scrubbedEnvironment } from "../../platform/processes/scrubbed-environment.js";
import { FILES } from "../collections/configset.js";
import { SINGLE } from "../collections/shards.js";
import { Solr } from "../solr.js";
import { SolrCollection } from "../transport/client.js";
import { solrJars } from "./download.js";
import { startEmbeddedSolr } from "./embedded.js";
import { javaCommand } from "./java.js";

/** Milliseconds that Java may take to write the archive when it ends. */
const WRITE_TIMEOUT_MS = 60_000;

const folderOf = (): string => join(solrJars(), "..", "archive");

/** The path of the archive for this Java and these jars. */
async function archivePath(): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(javaCommand(), ["-version"], {
    env: scrubbedEnvironment(),
  });
  const { mtimeMs } = await stat(solrJars());
  // Java also prints the options that it took from the environment.
  const java = `${stdout}${stderr}`.replace(/^Picked up .*$/gm, "");
  const key = createHash("sha256").update(`${java}${mtimeMs}`).digest("hex");
  return join(folderOf(), `${key.slice(0, 16)}.jsa`);
}

/** The options that make Java use the archive; none if it is missing. Java ignores an archive that does not fit. */
export async function archiveOptions(): Promise<string[]> {
  const path = await archivePath().catch(() => undefined);
  return path !== undefined && existsSync(path) ? [`-XX:SharedArchiveFile=${path}`] : [];
}

/** Makes the archive if it is missing. Failures are only reported, as Solr starts without it too. */
export async function ensureClassArchive(report: (line: string) => void): Promise<void> {
  try {
    const path = await archivePath();
    if (existsSync(path)) return;
    await mkdir(folderOf(), { recursive: true });
    const lock = await waitForLock(join(folderOf(), "archive.lock"));
    try {
      if (existsSync(path)) return;
      report("Preparing Apache Solr to start fast (once).");
      await make(path);
    } finally {
      await lock.release();
    }
  } catch (error) {
    report(`Solr starts without a class archive: ${(error as Error).message}`);
  }
}

async function make(path: string): Promise<void> {
  // Archives of other Java versions, and of interrupted attempts.
  for (const name of await readdir(folderOf())) {
    if (/\.jsa(\.\w+)?$/.test(name)) await rm(join(folderOf(), name), { force: true });
  }
  const draft = `${path}.${process.pid}`;
  const dataDir = await mkdtemp(join(tmpdir(), "climate-archive-"));
  try {
    const javaOptions = [`-XX:ArchiveClassesAtExit=${draft}`];
    const options = { dataDir, heap: "256m", report: () => {}, javaOptions };
    const solr = await startEmbeddedSolr(options);
    try {
      await use(new Solr(solr.endpoint, WRITE_TIMEOUT_MS, SINGLE));
      const java = await identify(solr.pid);
      if (java === undefined) return;
      // Not through its keeper, which kills it after a time limit.
      signalProcess(java.pid, "SIGTERM");
      if (await endsWithin(java, WRITE_TIMEOUT_MS)) await rename(draft, path);
    } finally {
      await solr.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(draft, { force: true });
  }
}

/** Makes Solr load the classes that it needs first. */
async function use(solr: Solr): Promise<void> {
  const document = '{"file":"/a.nc","project":["a"],"time":"2000","bbox":"ENVELOPE(0,1,1,0)"}';
  await new SolrCollection(solr.http, FILES).update(`[${document}]`, { commit: "true" });
  const search = { filters: ["project:a", newest("-user:*")] } as const;
  await solr.countFacets(search, { facets: ["project", "model"] });
  for await (const _ of await solr.export(search, { fields: ["file"], start: 0 }));
  await solr.check();
}
