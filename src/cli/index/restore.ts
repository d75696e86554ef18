/** The command `restore`. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  beginRestore,
  copyAccounts,
  endRestore,
  hasAccounts,
  layOutIndex,
  removeAccounts,
  unfinishedRestore,
} from "../../index/backup/data-folder.js";
import { indexBackup } from "../../index/backup/index-backup.js";
import {
  KINDS,
  type Kind,
  type Manifest,
  readManifest,
  verifyFiles,
} from "../../index/backup/manifest.js";
import { SolrAdmin } from "../../index/collections/admin.js";
import { FILES, GENERATION } from "../../index/collections/configset.js";
import { DataDirInUse, lockDataDir } from "../../index/collections/data-dir-lock.js";
import { SetupError } from "../../index/collections/setup-error.js";
import type { SolrEndpoint } from "../../index/transport/endpoint.js";
import type { Config } from "../../server/settings/config.js";
import { withSolr } from "../service/with-solr.js";
import { report } from "../terminal/print-line.js";
import { counted, PARTS } from "./backup.js";

/** Restores a backup. After an interruption it can be run again. */
export async function restore(config: Config, folder: string, replace: boolean): Promise<void> {
  const source = resolve(folder);
  const manifest = await readManifest(source);
  const { outside } = config.solr;
  requireSame(manifest, outside === undefined ? "embedded" : undefined);
  report(`Reading the backup of ${manifest.made}.`);
  await verifyFiles(source, manifest);
  const isAgain = (await unfinishedRestore(config.dataDir)) === manifest.made;
  const work = { config, source, manifest, replace: replace || isAgain };
  await (outside === undefined ? intoEmbedded(work) : intoSolr(work, outside));
  report("Restored.");
}

interface Work {
  readonly config: Config;
  readonly source: string;
  readonly manifest: Manifest;
  readonly replace: boolean;
}

/** @throws SetupError if the backup is of another kind of Solr or another generation of the index */
function requireSame({ solr, generation, release }: Manifest, wanted: Kind | undefined): void {
  if (generation !== GENERATION) {
    const how =
      generation < GENERATION
        ? `restore it with release ${release}, and upgrade the index with \`climate-nextgen solr upgrade\``
        : `restore it with release ${release} or a later one`;
    throw new SetupError(
      `The backup was made by climate-nextgen ${release} and has index generation ${generation}; this release reads generation ${GENERATION}. To use it, ${how}.`,
    );
  }
  const isWrong = wanted === undefined ? solr === "embedded" : solr !== wanted;
  if (isWrong) {
    throw new SetupError(
      `The backup is of ${KINDS[solr]}, and only the same kind of Solr can read it: ${solr === "embedded" ? "unset SOLR_URL" : "set SOLR_URL"}.`,
    );
  }
}

async function intoEmbedded({ config, source, manifest, replace }: Work): Promise<void> {
  const { dataDir } = config;
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (!(error instanceof DataDirInUse)) throw error;
    throw new SetupError(`A service (process ${error.pid}) runs on ${dataDir}; stop it first.`);
  });
  try {
    if (!replace) await requireNothing(config);
    await beginRestore(dataDir, manifest.made);
    const from = join(source, PARTS.solr);
    await layOutIndex(join(dataDir, "solr"), from, Object.keys(manifest.collections));
    await removeAccounts(dataDir);
    await copyAccounts(join(source, PARTS.accounts), dataDir);
  } finally {
    await lock.release();
  }
  // Opening it shows that the copy is complete.
  await withSolr(config, async ({ http: { endpoint } }) => {
    report(counted(await indexBackup(new SolrAdmin(endpoint), false).inspect()));
    await endRestore(dataDir);
  });
}

/** @throws SetupError if the data folder has been used by a service */
async function requireNothing({ dataDir }: Config): Promise<void> {
  const hasIndex = existsSync(join(dataDir, "solr", "home"));
  if (!hasIndex && !(await hasAccounts(dataDir))) return;
  throw new SetupError(
    `${dataDir} has ${hasIndex ? "an index" : "accounts"} already; to put the backup in its place, add --replace.`,
  );
}

async function intoSolr(
  { config, source, manifest, replace }: Work,
  endpoint: SolrEndpoint,
): Promise<void> {
  const admin = new SolrAdmin(endpoint);
  const { cloud } = await admin.system();
  requireSame(manifest, cloud ? "cloud" : "single");
  const index = indexBackup(admin, cloud);
  const present = await index.inspect();
  // The state does not count: it has entries as soon as a service has run.
  if ((present[FILES]?.documents ?? 0) > 0 && !replace) {
    throw new SetupError(
      `Solr has documents in ${FILES} already; to put the backup in their place, add --replace.`,
    );
  }
  await beginRestore(config.dataDir, manifest.made);
  await index.restore(manifest.collections, join(source, PARTS.solr));
  report(counted(await index.inspect()));
  await endRestore(config.dataDir);
}
