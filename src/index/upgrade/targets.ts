/** Where an upgrade makes the new index: a core beside `files` in a single Solr, a collection behind the alias in SolrCloud. */
import { randomBytes } from "node:crypto";
import { coresOf, type SolrAdmin } from "../collections/admin.js";
import { clusterOf, realName } from "../collections/cluster.js";
import {
  configsetName,
  configsetOf,
  FILES,
  FORMER_LATEST,
  GENERATION,
} from "../collections/configset.js";
import { createCollection, createCore } from "../collections/set-up-collections.js";
import { SetupError } from "../collections/setup-error.js";
import { activeShards } from "../collections/shards.js";
import type { SolrHttp } from "../transport/http.js";
import type { UpgradeTarget } from "./upgrade.js";

/** The core of the new index, or the alias of its collection, until it is complete. */
export const UPGRADE = `${FILES}_upgrade`;

/**
 * A single Solr. After the switch, the former core has the name of the new one.
 *
 * @param where parameters of the new core: where it finds its configset
 */
export function coreTarget(
  admin: SolrAdmin,
  where: Readonly<Record<string, string>> = { configSet: configsetName(configsetOf(FILES)) },
): UpgradeTarget {
  const command = (parameters: Readonly<Record<string, string>>) =>
    admin.command("admin/cores", parameters);
  return {
    makeIndex: async () => {
      if ((await coresOf(admin))[UPGRADE] !== undefined) {
        await command({ action: "UNLOAD", core: UPGRADE, deleteInstanceDir: "true" });
      }
      // The seed makes the entity tags of the core unique.
      const seed = { "property.etag.seed": randomBytes(9).toString("hex") };
      await createCore(admin, { name: UPGRADE, ...seed, ...where }, [FILES]);
      return UPGRADE;
    },
    switchOver: async (target) => {
      await command({ action: "SWAP", core: FILES, other: target });
      const cores = await coresOf(admin);
      return [target, FORMER_LATEST].filter((name) => cores[name] !== undefined);
    },
  };
}

/** A SolrCloud. The alias `files` leads to the new collection after the switch, and hides a collection of that name. */
export function cloudTarget(admin: SolrAdmin, http: SolrHttp): UpgradeTarget {
  const command = (parameters: Readonly<Record<string, string>>) =>
    admin.command("admin/collections", parameters);
  const removeUnfinished = async (): Promise<void> => {
    const { [UPGRADE]: unfinished, [FILES]: current } = (await clusterOf(admin)).aliases ?? {};
    if (unfinished === undefined) return;
    await command({ action: "DELETEALIAS", name: UPGRADE });
    // An upgrade that was killed right after the switch has left its alias.
    if (unfinished !== current) await command({ action: "DELETE", name: unfinished });
  };
  return {
    makeIndex: async () => {
      await removeUnfinished();
      const cluster = await clusterOf(admin);
      const former = cluster.collections[realName(cluster, FILES)];
      if (former === undefined) throw new SetupError(`Solr has no collection ${FILES}.`);
      let target = `${FILES}_${GENERATION}`;
      for (let count = 2; cluster.collections[target] !== undefined; count += 1) {
        target = `${FILES}_${GENERATION}_${count}`;
      }
      const shards = activeShards(former.shards).map(([shard]) => shard);
      await createCollection(admin, target, configsetOf(FILES), {
        numShards: String(shards.length),
        nrtReplicas: String(former.nrtReplicas ?? former.replicationFactor ?? 1),
        tlogReplicas: String(former.tlogReplicas ?? 0),
        pullReplicas: String(former.pullReplicas ?? 0),
      });
      await command({ action: "CREATEALIAS", name: UPGRADE, collections: target });
      const made = shards.map((_, index) => `shard${index + 1}`);
      http.topology = { cloud: true, shards: { [FILES]: shards, [target]: made } };
      return target;
    },
    switchOver: async (target) => {
      const cluster = await clusterOf(admin);
      await command({ action: "CREATEALIAS", name: FILES, collections: target });
      await command({ action: "DELETEALIAS", name: UPGRADE });
      const former = [FILES, FORMER_LATEST].map((name) => realName(cluster, name));
      return former.filter((name) => cluster.collections[name] !== undefined);
    },
  };
}
