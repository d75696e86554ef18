/** The command `solr upgrade`. */
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { SolrAdmin } from "../../index/collections/admin.js";
import {
  configsetOf,
  FILES,
  FORMER_LATEST,
  GENERATION,
} from "../../index/collections/configset.js";
import { lockDataDir } from "../../index/collections/data-dir-lock.js";
import { archiveOptions, ensureClassArchive } from "../../index/embedded/class-archive.js";
import { removeCore, replaceCores } from "../../index/embedded/cores.js";
import { ensureSolrJars } from "../../index/embedded/download.js";
import { startEmbeddedSolr } from "../../index/embedded/embedded.js";
import { recordRelease, requireReadable } from "../../index/embedded/index-release.js";
import { SolrHttp } from "../../index/transport/http.js";
import { cloudTarget, coreTarget, UPGRADE } from "../../index/upgrade/targets.js";
import { type UpgradeTarget, upgrade } from "../../index/upgrade/upgrade.js";
import type { Lock } from "../../platform/processes/process-lock.js";
import type { Config } from "../../server/settings/config.js";
import { orSetupError } from "../service/with-solr.js";
import { report } from "../terminal/print-line.js";

/**
 * Upgrades the index of the Solr of SOLR_URL or of DATA_DIR, while no service runs. After an interruption the same command begins again.
 */
export async function upgradeIndex(config: Config): Promise<void> {
  const lock = await lockDataDir(config.dataDir);
  try {
    const { outside, timeoutMs } = config.solr;
    if (outside === undefined) return await upgradeEmbedded(config, lock);
    const [admin, http] = [new SolrAdmin(outside), new SolrHttp(outside, timeoutMs)];
    const { cloud } = await admin.system();
    await run(http, cloud ? cloudTarget(admin, http) : coreTarget(admin));
  } finally {
    await lock.release();
  }
}

async function upgradeEmbedded({ dataDir, solr }: Config, lock: Lock): Promise<void> {
  await requireReadable(dataDir);
  await ensureSolrJars(report);
  await ensureClassArchive(report);
  const home = join(resolve(dataDir), "solr", "home");
  await removeCore(home, UPGRADE);
  const javaOptions = await archiveOptions();
  const embedded = await startEmbeddedSolr({ dataDir, heap: solr.heap, lock, report, javaOptions });
  try {
    const instanceDir = `${FILES}_g${GENERATION}_${randomBytes(4).toString("hex")}`;
    const where = { configSet: configsetOf(FILES), instanceDir };
    await run(new SolrHttp(embedded.endpoint, solr.timeoutMs), {
      ...coreTarget(new SolrAdmin(embedded.endpoint), where),
      switchOver: async (target) => {
        await embedded.stop();
        return replaceCores(home, target, [FILES, FORMER_LATEST]);
      },
    });
  } finally {
    await embedded.stop();
    // Frees the disk if the upgrade has failed.
    await removeCore(home, UPGRADE);
  }
  await recordRelease(dataDir);
}

async function run(http: SolrHttp, into: UpgradeTarget): Promise<void> {
  const begin = performance.now();
  const kept = await orSetupError(
    upgrade(http, into, report),
    (reason) => `Solr failed (${reason}); the former index is unchanged. Run this again.`,
  );
  if (kept === undefined)
    return report("The index is of this release already; there is nothing to do.");
  report(
    `The index is of this release now, after ${((performance.now() - begin) / 1000).toFixed(1)} s. The former one is kept: ${kept.join(" and ")}. Delete it when the new one has proved good (docs/solr.md).`,
  );
}
