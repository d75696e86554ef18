/** Creates the collections in a Solr that has none, from the package's configsets. */
import { readFile } from "node:fs/promises";
import { zipSync } from "fflate";
import { packagePath } from "../../platform/package-root.js";
import { addressesOf } from "../transport/endpoint.js";
import { AdminRefused, coresOf, type SolrAdmin } from "./admin.js";
import { clusterOf } from "./cluster.js";
import { inspectCollection } from "./collections.js";
import { COLLECTIONS, configsetName, configsetOf, GENERATION, ROUTE } from "./configset.js";
import { SetupError } from "./setup-error.js";

interface SetupOptions {
  /** Of `files`; `state` is small and has one. */
  readonly shards: number;
  /** Per shard. */
  readonly replicas: number;
  /** Receives one line per collection. */
  readonly report: (line: string) => void;
}

/** Creates missing collections. Existing ones stay unchanged. @returns number of created collections */
export async function setUpCollections(admin: SolrAdmin, options: SetupOptions): Promise<number> {
  const { cloud } = await admin.system();
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
    else
      await createCore(admin, { name, configSet: configsetName(configsetOf(name)) }, COLLECTIONS);
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
  // With an alias, an upgrade only has to change its target.
  const collection = configset === "state" ? name : `${name}_${GENERATION}`;
  const { collections } = await clusterOf(admin);
  const numShards = String(configset === "state" ? 1 : shards);
  const sizes = { numShards, replicationFactor: String(replicas) };
  if (collections[collection] === undefined) {
    await createCollection(admin, collection, configset, sizes);
  }
  if (collection === name) return;
  await admin.command("admin/collections", {
    action: "CREATEALIAS",
    name,
    collections: collection,
  });
}

/** @param sizes parameters of CREATE: the numbers of shards and replicas */
export async function createCollection(
  admin: SolrAdmin,
  name: string,
  configset: string,
  sizes: Readonly<Record<string, string>>,
): Promise<void> {
  await uploadConfigset(admin, configset);
  await admin.command("admin/collections", {
    action: "CREATE",
    name,
    "router.name": "compositeId",
    ...(configset !== "state" && { "router.field": ROUTE }),
    "collection.configName": configsetName(configset),
    ...sizes,
  });
}

/** Creates a core. @throws SetupError if Solr lacks them */
export async function createCore(
  admin: SolrAdmin,
  parameters: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<void> {
  try {
    await admin.ask("admin/cores", { action: "CREATE", ...parameters });
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw noConfigset(names, (await admin.system()).home, error.message);
  }
}

/** The error if a single Solr lacks the configset: it takes none over HTTP. */
function noConfigset(names: readonly string[], home: string, reason: string): SetupError {
  const commands = [...new Set(names.map(configsetOf))].map(
    (configset) =>
      `cp -R ${packagePath("solr", configset)} ${home}/configsets/${configsetName(configset)}`,
  );
  return new SetupError(
    `Solr does not make the core (${reason}). It must have the configset on its own disk: on its machine run \`mkdir -p ${home}/configsets && ${commands.join(" && ")}\`, and then this again.`,
  );
}

/** Uploads a shipped configset under its name to SolrCloud (Solr Reference Guide, "Configsets API"). */
async function uploadConfigset(admin: SolrAdmin, configset: string): Promise<void> {
  const files = await Promise.all(
    ["schema.xml", "solrconfig.xml"].map(
      async (file) => [file, await readFile(packagePath("solr", configset, "conf", file))] as const,
    ),
  );
  const name = configsetName(configset);
  const parameters = { action: "UPLOAD", name, overwrite: "true" };
  try {
    await admin.ask("admin/configs", parameters, zipSync(Object.fromEntries(files)));
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new SetupError(`Solr does not take the configset ${name}: ${error.message}`);
  }
}
