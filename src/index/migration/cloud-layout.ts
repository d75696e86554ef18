/**
 * The layout of an upgrade in SolrCloud. The new index is a collection `files_<generation>` with as many shards and
 * replicas as the former one. The alias `files` points to the searched collection and changes in one step. The alias
 * hides a collection that is itself called `files`, so that one is read by its cores. Every request finds one of them.
 */
import { countDocuments, type SolrAdmin } from "../collections/admin.js";
import { type Cluster, clusterOf, realName } from "../collections/cluster.js";
import { inspectCollection } from "../collections/collections.js";
import {
  CATALOGUE,
  type Catalogue,
  configsetName,
  configsetOf,
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
  upgradeName,
} from "./layout.js";

export class CloudLayout implements Layout {
  readonly #admin: SolrAdmin;

  constructor(admin: SolrAdmin) {
    this.#admin = admin;
  }

  async phase(name: Catalogue): Promise<Phase> {
    const live = await inspectCollection(this.#admin.endpoint, name);
    if (live === undefined) throw new SetupError(`Solr has no collection ${name}.`);
    const { aliases } = await clusterOf(this.#admin);
    const target = aliases?.[upgradeName(name)]?.split(",")[0];
    if (target === undefined) return live.isOutdated ? "outdated" : "current";
    // First of the two targets: the alias was switched, even if its documents are old.
    if (aliases?.[name] === target) return "switched";
    if (!(await inspectCollection(this.#admin.endpoint, target))?.isOutdated) return "filling";
    await this.#ask({ action: "DELETEALIAS", name: upgradeName(name) });
    await this.#ask({ action: "DELETE", name: target });
    return "outdated";
  }

  async makeTarget(name: Catalogue): Promise<void> {
    const cluster = await clusterOf(this.#admin);
    const former = realName(cluster, name);
    const like = cluster.collections[former];
    if (like === undefined) throw new SetupError(`Solr has no collection ${former}.`);
    const target = await this.#freeName(name, cluster);
    await uploadConfigset(this.#admin, configsetOf(name));
    if (cluster.collections[target] === undefined) {
      await this.#ask({
        ...{ action: "CREATE", name: target, "router.name": "compositeId", "router.field": ROUTE },
        "collection.configName": configsetName(configsetOf(name)),
        // As many shards as before: a running service has read the shard list only once.
        numShards: String(activeShards(like.shards).length),
        nrtReplicas: String(like.nrtReplicas ?? like.replicationFactor ?? 1),
        tlogReplicas: String(like.tlogReplicas ?? 0),
        pullReplicas: String(like.pullReplicas ?? 0),
      });
    }
    await this.#alias(upgradeName(name), `${target},${former}`);
  }

  /** A name that is free, or whose collection was never used. */
  async #freeName(name: Catalogue, { collections }: Cluster): Promise<string> {
    for (let count = 1; ; count += 1) {
      const free = `${name}_${GENERATION}${count === 1 ? "" : `_${count}`}`;
      if (collections[free] === undefined) return free;
      const documents = await countDocuments(this.#admin, free);
      const look = await inspectCollection(this.#admin.endpoint, free);
      if (documents === 0 && look?.isOutdated === false) return free;
    }
  }

  async former(name: Catalogue): Promise<IndexPlace> {
    const cluster = await clusterOf(this.#admin);
    const [, former] = cluster.aliases?.[upgradeName(name)]?.split(",") ?? [];
    return placeOf(cluster, former ?? realName(cluster, name));
  }

  async target(name: Catalogue): Promise<IndexPlace> {
    const cluster = await clusterOf(this.#admin);
    const [target = realName(cluster, name)] =
      cluster.aliases?.[upgradeName(name)]?.split(",") ?? [];
    return placeOf(cluster, target);
  }

  async switchOver(name: Catalogue): Promise<void> {
    const { aliases } = await clusterOf(this.#admin);
    const target = aliases?.[upgradeName(name)]?.split(",")[0];
    if (target === undefined) throw new SetupError(`No upgrade of ${name} is under way.`);
    await this.#alias(name, target);
  }

  async finish(name: Catalogue): Promise<string> {
    const { aliases } = await clusterOf(this.#admin);
    const former = aliases?.[upgradeName(name)]?.split(",")[1] ?? name;
    await this.#ask({ action: "DELETEALIAS", name: upgradeName(name) });
    return former;
  }

  readonly kept: KeptIndexes = {
    list: () => this.#kept(),
    remove: (name) => this.#ask({ action: "DELETE", name }),
    howToDelete: REMOVES,
  };

  /** Former collections, which no alias points to. */
  async #kept(): Promise<readonly string[]> {
    const { collections, aliases = {} } = await clusterOf(this.#admin);
    const used = new Set(Object.values(aliases).flatMap((names) => names.split(",")));
    return CATALOGUE.flatMap((name) => {
      if (aliases[name] === undefined) return [];
      const isOurs = (one: string): boolean =>
        one.startsWith(name) && /^(?:_\d+){0,2}$/.test(one.slice(name.length));
      return Object.keys(collections).filter((one) => isOurs(one) && !used.has(one));
    });
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
