/**
 * Java's archive of the classes that Solr has loaded once it is up (JEP 350): with it a start takes two thirds of the
 * processor time, and a Solr that was killed is back sooner. It is made once, after the jars, for the Java that is there.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { endsWithin, identify, signalProcess } from "../../platform/process-identity.js";
import { waitForLock } from "../../platform/process-lock.js";
import { Solr } from "../solr.js";
import { SolrCollection } from "../transport/client.js";
import { solrJars } from "./download.js";
import { startEmbeddedSolr } from "./embedded.js";
import { javaCommand } from "./java.js";

/** Milliseconds that Java may take to write it, at its end. */
const WRITING = 60_000;

const folderOf = (): string => join(solrJars(), "..", "archive");

/** Where the archive for this Java and these jars is, or would be. */
async function archivePath(): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(javaCommand(), ["-version"]);
  const { mtimeMs } = await stat(solrJars());
  // Java also says which options it took from the environment.
  const java = `${stdout}${stderr}`.replace(/^Picked up .*$/gm, "");
  const key = createHash("sha256").update(`${java}${mtimeMs}`).digest("hex");
  return join(folderOf(), `${key.slice(0, 16)}.jsa`);
}

/** What Java is told so that it uses the archive; nothing where there is none. A Java that it does not fit passes over it. */
export async function archiveOptions(): Promise<string[]> {
  const path = await archivePath().catch(() => undefined);
  return path !== undefined && existsSync(path) ? [`-XX:SharedArchiveFile=${path}`] : [];
}

/** Makes the archive where it is missing. Whatever stands in its way, Solr starts without it too. */
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
    report(`Solr starts without an archive of its classes: ${(error as Error).message}`);
  }
}

async function make(path: string): Promise<void> {
  // Those of an earlier Java, and what a broken attempt has left.
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
      await use(new Solr(solr.endpoint, WRITING, { cloud: false, shards: {} }));
      const java = await identify(solr.pid);
      if (java === undefined) return;
      // Not by its keeper, who gives it only so long.
      signalProcess(java.pid, "SIGTERM");
      if (await endsWithin(java, WRITING)) await rename(draft, path);
    } finally {
      await solr.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(draft, { force: true });
  }
}

/** Has Solr load what it will need first. */
async function use(solr: Solr): Promise<void> {
  const document = '{"file":"/a.nc","project":["a"],"time":"2000","bbox":"ENVELOPE(0,1,1,0)"}';
  await new SolrCollection(solr.http, "latest").update(`[${document}]`, { commit: "true" });
  const search = { collection: "latest", filters: ["project:a", "-user:*"] } as const;
  await solr.countFacets(search, { facets: ["project", "model"] });
  for await (const _ of await solr.export(search, { fields: ["file"], start: 0 }));
  await solr.check();
}
