/**
 * The layout of an upgrade in SolrCloud. The new index is a collection `files_<generation>` with as many shards and
 * replicas as the former one. The alias `files` points to the searched collection and changes in one step. The alias
 * hides a collection that is itself called `files`, so that one is read by its cores. Every request finds one of them.
 */
import { countDocuments, type SolrAdmin } from "../collections/admin.js";
import { type Cluster, clusterOf, realName } from "../collections/cluster.js";
import { inspectCollection } from "../collections/collections.js";
import {
  configsetName,
  configsetOf,
  FILES,
  FORMER_LATEST,
  GENERATION,
  ROUTE,
} from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";
import { activeShards } from "../collections/shards.js";
import { uploadConfigset } from "./configset-upload.js";
import {
  type IndexPlace,
  type KeptIndexes,
  type Layout,
  type Phase,
  REMOVES,
  UPGRADE,
} from "./layout.js";

export class CloudLayout implements Layout {
  readonly #admin: SolrAdmin;

  constructor(admin: SolrAdmin) {
    this.#admin = admin;
  }

  async phase(): Promise<Phase> {
    const live = await inspectCollection(this.#admin.endpoint, FILES);
    if (live === undefined) throw new SetupError(`Solr has no collection ${FILES}.`);
    const { aliases } = await clusterOf(this.#admin);
    const target = aliases?.[UPGRADE]?.split(",")[0];
    if (target === undefined) return live.isOutdated ? "outdated" : "current";
    // First of the two targets: the alias was switched, even if its documents are old.
    if (aliases?.[FILES] === target) return "switched";
    if (!(await inspectCollection(this.#admin.endpoint, target))?.isOutdated) return "filling";
    await this.#ask({ action: "DELETEALIAS", name: UPGRADE });
    await this.#ask({ action: "DELETE", name: target });
    return "outdated";
  }

  async makeTarget(): Promise<void> {
    const cluster = await clusterOf(this.#admin);
    const former = realName(cluster, FILES);
    const like = cluster.collections[former];
    if (like === undefined) throw new SetupError(`Solr has no collection ${former}.`);
    const target = await this.#freeName(cluster);
    await uploadConfigset(this.#admin, configsetOf(FILES));
    if (cluster.collections[target] === undefined) {
      await this.#ask({
        ...{ action: "CREATE", name: target, "router.name": "compositeId", "router.field": ROUTE },
        "collection.configName": configsetName(configsetOf(FILES)),
        // As many shards as before: a running service has read the shard list only once.
        numShards: String(activeShards(like.shards).length),
        nrtReplicas: String(like.nrtReplicas ?? like.replicationFactor ?? 1),
        tlogReplicas: String(like.tlogReplicas ?? 0),
        pullReplicas: String(like.pullReplicas ?? 0),
      });
    }
    await this.#alias(UPGRADE, `${target},${former}`);
  }

  /** A name that is free, or whose collection was never used. */
  async #freeName({ collections }: Cluster): Promise<string> {
    for (let count = 1; ; count += 1) {
      const free = `${FILES}_${GENERATION}${count === 1 ? "" : `_${count}`}`;
      if (collections[free] === undefined) return free;
      const documents = await countDocuments(this.#admin, free);
      const look = await inspectCollection(this.#admin.endpoint, free);
      if (documents === 0 && look?.isOutdated === false) return free;
    }
  }

  async former(): Promise<IndexPlace> {
    const cluster = await clusterOf(this.#admin);
    const [, former] = cluster.aliases?.[UPGRADE]?.split(",") ?? [];
    return placeOf(cluster, former ?? realName(cluster, FILES));
  }

  async formerLatest(): Promise<IndexPlace | undefined> {
    const cluster = await clusterOf(this.#admin);
    const real = realName(cluster, FORMER_LATEST);
    if (cluster.collections[real] === undefined) return undefined;
    return { ...placeOf(cluster, real), name: FORMER_LATEST };
  }

  async target(): Promise<IndexPlace> {
    const cluster = await clusterOf(this.#admin);
    const [target = realName(cluster, FILES)] = cluster.aliases?.[UPGRADE]?.split(",") ?? [];
    return placeOf(cluster, target);
  }

  async switchOver(): Promise<void> {
    const { aliases } = await clusterOf(this.#admin);
    const target = aliases?.[UPGRADE]?.split(",")[0];
    if (target === undefined) throw new SetupError(`No upgrade of ${FILES} is under way.`);
    await this.#alias(FILES, target);
  }

  async finish(): Promise<string> {
    const { aliases } = await clusterOf(this.#admin);
    const former = aliases?.[UPGRADE]?.split(",")[1] ?? FILES;
    await this.#ask({ action: "DELETEALIAS", name: UPGRADE });
    return former;
  }

  readonly kept: KeptIndexes = {
    list: () => this.#kept(),
    remove: (name) => this.#remove(name),
    howToDelete: REMOVES,
  };

  /** Former collections. No alias points to them, except `latest`, which the former release may still search. */
  async #kept(): Promise<readonly string[]> {
    const { collections, aliases = {} } = await clusterOf(this.#admin);
    const used = new Set((aliases[FILES] ?? FILES).split(","));
    const isOurs = (one: string, name: string): boolean =>
      one.startsWith(name) && /^(?:_\d+){0,2}$/.test(one.slice(name.length));
    return Object.keys(collections).filter(
      (one) => isOurs(one, FORMER_LATEST) || (isOurs(one, FILES) && !used.has(one)),
    );
  }

  async #remove(name: string): Promise<void> {
    const { aliases } = await clusterOf(this.#admin);
    if (aliases?.[FORMER_LATEST] === name) {
      await this.#ask({ action: "DELETEALIAS", name: FORMER_LATEST });
    }
    await this.#ask({ action: "DELETE", name });
  }

  /** Creates or changes an alias, and waits until all requests follow it. */
  async #alias(name: string, collections: string): Promise<void> {
    await this.#ask({ action: "CREATEALIAS", name, collections });
  }

  #ask(parameters: Readonly<Record<string, string>>): Promise<void> {
    return this.#admin.command("admin/collections", parameters);
  }
}

/** A collection, addressed by its shard leaders' cores. */
function placeOf({ collections }: Cluster, name: string): IndexPlace {
  const shards = activeShards(collections[name]?.shards ?? {});
  const parts = shards.map(([shard, { replicas }]) => {
    const active = Object.values(replicas).filter(({ state }) => state === "active");
    const core = (active.find(({ leader }) => leader === "true") ?? active[0])?.core;
    if (core === undefined) throw new SetupError(`No replica of ${name} ${shard} is active.`);
    return core;
  });
  if (parts.length === 0) throw new SetupError(`Solr has no collection ${name}.`);
  return { name, parts, shards: shards.map(([shard]) => shard) };
}
