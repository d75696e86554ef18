/** The command `solr upgrade`. */
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { coresOf, SolrAdmin } from "../../index/collections/admin.js";
import { FORMER_LATEST } from "../../index/collections/configset.js";
import { makeDataDir } from "../../index/collections/data-dir-lock.js";
import { SetupError } from "../../index/collections/setup-error.js";
import { recordRelease } from "../../index/embedded/index-release.js";
import { formerIndexFolders, makeUpgradeFolder } from "../../index/embedded/upgrade-core.js";
import { CloudLayout } from "../../index/migration/cloud-layout.js";
import { CoreLayout } from "../../index/migration/core-layout.js";
import { requireRoom } from "../../index/migration/disk-space.js";
import { type Layout, REMOVES } from "../../index/migration/layout.js";
import { migrateDocument } from "../../index/migration/migrate-document.js";
import { noConfigset, sharedConfigset } from "../../index/migration/set-up-collections.js";
import { upgrade } from "../../index/migration/upgrade.js";
import { SolrHttp } from "../../index/transport/http.js";
import { DomainError } from "../../platform/errors.js";
import { tryLock } from "../../platform/processes/process-lock.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import type { Config } from "../../server/settings/config.js";
import { count } from "../terminal/plurals.js";
import { report } from "../terminal/print-line.js";
import { inOneLine, type Progress, progress } from "../terminal/progress.js";

interface Opened {
  readonly admin: SolrAdmin;
  readonly layout: Layout;
  /** Throws a SetupError if there is no room for a second index, as far as that is known. */
  readonly requireRoom: () => Promise<void>;
}

/**
 * Upgrades the index of the Solr of SOLR_URL or of DATA_DIR. A Solr of DATA_DIR that does not run is started for the
 * upgrade. After an interruption the same command continues.
 *
 * @throws SetupError
 */
export async function upgradeIndex(config: Config): Promise<void> {
  await withSolr(config, async ({ admin, layout, requireRoom }) => {
    const begin = performance.now();
    const http = new SolrHttp(admin.endpoint, config.solr.timeoutMs);
    let known: Progress | undefined;
    const bar = (total: number): Progress => {
      known ??= progress("Copying", total);
      return known;
    };
    const { upgraded, copied } = await upgrade(http, layout, migrateDocument, {
      report,
      beforeFilling: requireRoom,
      onProgress: (done, total) => bar(total).update(done, rate(begin, done, total)),
      onRefused: ({ file, reason }) => bar(0).note(`${file}: refused: ${inOneLine(reason)}`),
    }).catch(throwFailure);
    if (config.solr.outside === undefined) await recordRelease(config.dataDir);
    if (!upgraded) {
      report("The index is of this release already; there is nothing to do.");
    } else {
      const seconds = (performance.now() - begin) / 1000;
      report(
        `The index is of this release now: ${count(copied, "document")} copied in ${seconds.toFixed(1)} s (${Math.round(copied / seconds).toLocaleString("en")} a second).`,
      );
    }
    const all = await layout.kept.list();
    if (all.length > 0) {
      report(`The former index is kept: ${all.join(" and ")}. ${layout.kept.howToDelete}.`);
    }
  });
}

/** Deletes the old index. @throws SetupError while an upgrade is incomplete */
export async function removeOldIndex(config: Config): Promise<void> {
  await withSolr(config, async ({ layout }) => {
    if ((await layout.phase()) !== "current") {
      throw new SetupError(
        "The index is not upgraded completely; run `climate-nextgen solr upgrade` first.",
      );
    }
    const { kept } = layout;
    const all = await kept.list();
    for (const one of all) {
      await kept.remove(one);
      report(`${one} is deleted.`);
    }
    if (all.length === 0)
      report(`No former index is kept that this command knows. ${kept.howToDelete}.`);
  });
}

function rate(begin: number, done: number, total: number): string {
  const each = done / ((performance.now() - begin) / 1000);
  const left = Math.max(0, Math.round((total - done) / each));
  return `${done.toLocaleString("en")} of ${count(total, "document")}, ${Math.round(each).toLocaleString("en")} a second, ${left} s left`;
}

function throwFailure(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  throw new SetupError(
    `Solr failed (${error.message}); nothing is lost: run the same command again to continue.`,
    { cause: error },
  );
}

/** Runs one upgrade at a time. The lock is in DATA_DIR, so it does not protect an outside Solr from other machines. */
async function withSolr(config: Config, work: (opened: Opened) => Promise<void>): Promise<void> {
  await makeDataDir(config.dataDir);
  const lock = await tryLock(join(config.dataDir, "upgrade.lock"));
  if ("holder" in lock) {
    throw new SetupError(`Process ${lock.holder} upgrades the index already.`);
  }
  try {
    const { outside } = config.solr;
    if (outside !== undefined) await work(await openOutside(new SolrAdmin(outside)));
    else await withEmbedded(config, work);
  } finally {
    await lock.release();
  }
}

async function openOutside(admin: SolrAdmin): Promise<Opened> {
  const { cloud, home } = await admin.system();
  const requireRoom = async (): Promise<void> => {};
  if (cloud) return { admin, layout: new CloudLayout(admin), requireRoom };
  const layout = new CoreLayout(admin, {
    makeCore: sharedConfigset,
    refused: (reason) => noConfigset(["files"], home, reason),
    kept: {
      list: async () => ((await latestFolder(admin)) === undefined ? [] : [FORMER_LATEST]),
      remove: (core) =>
        admin.command("admin/cores", { action: "UNLOAD", core, deleteInstanceDir: "true" }),
      howToDelete: `${REMOVES}, except the folder of the former core files on Solr's machine, which no core has any more: delete it there`,
    },
  });
  return { admin, layout, requireRoom };
}

async function withEmbedded(
  config: Config,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const logger = pino({ level: "silent" });
  const options = { report, logger, share: true, acceptOutdated: true };
  const opened = await openSolr(config, options);
  const home = join(resolve(config.dataDir), "solr", "home");
  try {
    const admin = new SolrAdmin(opened.endpoint);
    const layout = new CoreLayout(admin, {
      makeCore: (core) => makeUpgradeFolder(home, core),
      refused: (reason) => new SetupError(`Solr does not make the core: ${reason}`),
      kept: {
        list: async () => {
          const latest = await latestFolder(admin);
          return [...(await formerIndexFolders(home)), ...(latest === undefined ? [] : [latest])];
        },
        remove: async (folder) => {
          if (folder === (await latestFolder(admin))) {
            await admin.command("admin/cores", { action: "UNLOAD", core: FORMER_LATEST });
          }
          await rm(folder, { recursive: true, force: true });
        },
        howToDelete: REMOVES,
      },
    });
    await work({ admin, layout, requireRoom: () => requireRoom(home) });
  } finally {
    await opened.close();
  }
}

/** The folder of the core that generations before 3 have for the newest versions; undefined if there is none. */
const latestFolder = async (admin: SolrAdmin): Promise<string | undefined> =>
  (await coresOf(admin))[FORMER_LATEST]?.instanceDir;
