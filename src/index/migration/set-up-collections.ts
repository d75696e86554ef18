/** Creates the collections in a Solr that has none, from the package's configsets. */
import { packagePath } from "../../platform/package-root.js";
import { AdminRefused, coresOf, type SolrAdmin } from "../collections/admin.js";
import { clusterOf } from "../collections/cluster.js";
import { inspectCollection } from "../collections/collections.js";
import {
  COLLECTIONS,
  configsetName,
  configsetOf,
  GENERATION,
  ROUTE,
} from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";
import { addressesOf } from "../transport/endpoint.js";
import { uploadConfigset } from "./configset-upload.js";

export interface SetupOptions {
  /** Of `files`; `state` is small and has one. */
  readonly shards: number;
  /** Per shard. */
  readonly replicas: number;
  /** Receives one line per collection. */
  readonly report: (line: string) => void;
}

/**
 * Creates missing collections. Existing ones stay unchanged.
 *
 * @returns number of created collections
 * @throws SetupError: one sentence that says what to do
 */
export async function setUpCollections(admin: SolrAdmin, options: SetupOptions): Promise<number> {
  const { cloud, home } = await admin.system();
  const missing: string[] = [];
  const cores = cloud ? undefined : await coresOf(admin);
  for (const name of COLLECTIONS) {
    const isThere = cores === undefined || cores[name] !== undefined;
    const look = isThere ? await inspectCollection(admin.endpoint, name) : undefined;
    if (look === undefined) missing.push(name);
    else if (look.isOutdated) {
      options.report(`${name} is there, of an earlier release: see climate-nextgen solr upgrade`);
    } else options.report(`${name} is there already`);
  }
  if (!cloud && (options.shards > 1 || options.replicas > 1)) {
    throw new SetupError(
      `Solr at ${addressesOf(admin.endpoint)} is no SolrCloud: it has neither shards nor replicas; leave --shards and --replicas out.`,
    );
  }
  for (const name of missing) {
    if (cloud) await makeCollection(admin, name, options);
    else await makeCore(admin, name, home);
    options.report(`${name} was made`);
  }
  return missing.length;
}

async function makeCollection(
  admin: SolrAdmin,
  name: string,
  { shards, replicas }: SetupOptions,
): Promise<void> {
  const configset = configsetOf(name);
  await uploadConfigset(admin, configset);
  // With an alias, an upgrade only has to change its target.
  const collection = configset === "state" ? name : `${name}_${GENERATION}`;
  const { collections } = await clusterOf(admin);
  const ask = (parameters: Readonly<Record<string, string>>) =>
    admin.ask("admin/collections", parameters);
  try {
    if (collections[collection] === undefined) {
      await ask({
        ...{ action: "CREATE", name: collection, "router.name": "compositeId" },
        ...(configset !== "state" && { "router.field": ROUTE }),
        "collection.configName": configsetName(configset),
        numShards: String(configset === "state" ? 1 : shards),
        replicationFactor: String(replicas),
      });
    }
    if (collection !== name) await ask({ action: "CREATEALIAS", name, collections: collection });
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new SetupError(`Solr does not make the collection ${name}: ${error.message}`);
  }
}

async function makeCore(admin: SolrAdmin, name: string, home: string): Promise<void> {
  try {
    await admin.ask("admin/cores", { action: "CREATE", name, ...(await sharedConfigset(name)) });
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw noConfigset(COLLECTIONS, home, error.message);
  }
}

/** CREATE parameters if Solr has the configset among its own. */
export const sharedConfigset = async (name: string): Promise<Readonly<Record<string, string>>> => ({
  configSet: configsetName(configsetOf(name)),
});

/** The error if a single Solr lacks the configset: it takes none over HTTP. @param home Solr's home on its machine */
export function noConfigset(names: readonly string[], home: string, reason: string): SetupError {
  const commands = [...new Set(names.map(configsetOf))].map(
    (configset) =>
      `cp -R ${packagePath("solr", configset)} ${home}/configsets/${configsetName(configset)}`,
  );
  return new SetupError(
    `Solr does not make the core (${reason}). It must have the configset on its own disk: on its machine run \`mkdir -p ${home}/configsets && ${commands.join(" && ")}\`, and then this again.`,
  );
}
