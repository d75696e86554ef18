/** The command `backup`. */
import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { copyAccounts, requireWritten, withLink } from "../../index/backup/data-folder.js";
import { type Collections, indexBackup } from "../../index/backup/index-backup.js";
import { type Kind, type Manifest, writeManifest } from "../../index/backup/manifest.js";
import { SolrAdmin } from "../../index/collections/admin.js";
import { GENERATION } from "../../index/collections/configset.js";
import { SetupError } from "../../index/collections/setup-error.js";
import { isMissing, refusalOf } from "../../platform/errors.js";
import { makeFolders } from "../../platform/file-system/private-files.js";
import type { Config } from "../../server/settings/config.js";
import { editAccounts } from "../accounts/edit-accounts.js";
import { withSolr } from "../service/with-solr.js";
import { count } from "../terminal/plurals.js";
import { report } from "../terminal/print-line.js";

/** Subfolders of a backup: what Solr wrote, and the files of the data folder. */
export const PARTS = { solr: "solr", accounts: "accounts" } as const;

/** Backs up index, state and accounts into an empty or new folder. Services may run meanwhile. */
export async function backUp(config: Config, folder: string, release: string): Promise<void> {
  const target = resolve(folder);
  await requireEmpty(target);
  const made = new Date().toISOString();
  await withSolr(config, async ({ http: { endpoint } }) => {
    const admin = new SolrAdmin(endpoint);
    const { cloud } = await admin.system();
    const index = indexBackup(admin, cloud);
    const isEmbedded = config.solr.outside === undefined;
    const solr: Kind = isEmbedded ? "embedded" : cloud ? "cloud" : "single";
    // Solr may run as another user, so its subfolder keeps a mode that lets that user in.
    const solrFolder = join(target, PARTS.solr);
    await mkdir(solrFolder, { recursive: true, mode: isEmbedded ? 0o700 : 0o770 });
    if (isEmbedded) {
      await editAccounts(config, () => copyAccounts(config.dataDir, join(target, PARTS.accounts)));
    }
    report("Solr writes its part of the backup.");
    const state = await index.inspect();
    const write = (location: string): Promise<Collections> => index.backUp(state, location);
    const collections = await (isEmbedded
      ? withLink(config.dataDir, solrFolder, write, (pid) =>
          report(`Waiting for process ${pid}, which also makes a backup.`),
        )
      : write(solrFolder));
    await requireWritten(solrFolder, cloud ? [] : Object.keys(collections));
    const facts = { made, release, generation: GENERATION, solr, collections };
    reportContent(target, await writeManifest(target, facts));
  });
}

/** @throws SetupError if the folder has content */
async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (isMissing(cause)) return [];
    throw unusable(folder, cause);
  });
  if (found.length > 0) {
    throw new SetupError(`${folder} is not empty; a backup has a folder of its own.`);
  }
  await makeFolders(folder, 0o700).catch((cause: unknown) => {
    throw unusable(folder, cause);
  });
}

const unusable = (folder: string, cause: unknown): SetupError =>
  new SetupError(`${folder} cannot be used (${refusalOf(cause)}).`, { cause });

function reportContent(folder: string, { collections, files, solr }: Manifest): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  report(`${counted(collections)}; ${(bytes / 1e6).toFixed(1)} MB in ${folder}`);
  report(
    solr === "embedded"
      ? "It has the keys that sign access tokens, and the hashes of passwords: nobody else may read it."
      : "The keys that sign access tokens are in it as they are in Solr, sealed: what opens them (STATE_KEY or DATA_DIR/state.key) is not, and is to be kept elsewhere.",
  );
}

/** How many documents there are of each collection. */
export const counted = (collections: Collections): string =>
  Object.entries(collections)
    .map(([name, { documents, documentsAfter = documents }]) => {
      const [least, most] = [documents, documentsAfter].sort((a, b) => a - b) as [number, number];
      return `${name}: ${least === most ? "" : `${least} to `}${count(most, "document")}`;
    })
    .join(", ");
