/**
 * SolrCloud. The new index is a collection `files_<generation>`, with as many shards and replicas as the former one; the
 * alias `files` leads to the one that is searched, and is changed in one step. A collection that is itself called
 * `files` is hidden by the alias of that name (it is read by its cores then), and no request finds neither.
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
import { type Kept, type Layout, type Phase, type Place, REMOVES, upgradeName } from "./layout.js";

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
    // The first of the two is searched since the alias was changed, however old its documents are.
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
        // A service that runs has looked at the shards once: there must not be more all at once.
        numShards: String(activeShards(like.shards).length),
        nrtReplicas: String(like.nrtReplicas ?? like.replicationFactor ?? 1),
        tlogReplicas: String(like.tlogReplicas ?? 0),
        pullReplicas: String(like.pullReplicas ?? 0),
      });
    }
    await this.#alias(upgradeName(name), `${target},${former}`);
  }

  /** One that there is not, or that was made and never used. */
  async #freeName(name: Catalogue, { collections }: Cluster): Promise<string> {
    for (let count = 1; ; count += 1) {
      const free = `${name}_${GENERATION}${count === 1 ? "" : `_${count}`}`;
      if (collections[free] === undefined) return free;
      const documents = await countDocuments(this.#admin, free);
      const look = await inspectCollection(this.#admin.endpoint, free);
      if (documents === 0 && look?.isOutdated === false) return free;
    }
  }

  async former(name: Catalogue): Promise<Place> {
    const cluster = await clusterOf(this.#admin);
    const [, former] = cluster.aliases?.[upgradeName(name)]?.split(",") ?? [];
    return placeOf(cluster, former ?? realName(cluster, name));
  }

  async target(name: Catalogue): Promise<Place> {
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

  readonly kept: Kept = {
    list: () => this.#kept(),
    remove: (name) => this.#ask({ action: "DELETE", name }),
    howToDelete: REMOVES,
  };

  /** Collections of ours that no alias leads to, where an alias leads to another. */
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

  /** Makes or changes an alias, and waits until every request follows it. */
  async #alias(name: string, collections: string): Promise<void> {
    await this.#ask({ action: "CREATEALIAS", name, collections });
  }

  #ask(parameters: Readonly<Record<string, string>>): Promise<void> {
    return this.#admin.command("admin/collections", parameters);
  }
}

/** A collection by the cores that lead its shards. */
function placeOf({ collections }: Cluster, name: string): Place {
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
