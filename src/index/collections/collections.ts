import { SolrUnavailable } from "../errors.js";
import { addressesOf, handlerPath, type SolrEndpoint } from "../transport/endpoint.js";
import { fetchNode, type NodeAnswer, reachable } from "../transport/reachable.js";
import { unreachable } from "../transport/unreachable.js";
import { AdminRefused, SolrAdmin } from "./admin.js";
import { configsetOf, GENERATION } from "./configset.js";
import { SetupError } from "./setup-error.js";
import {
  clusterStatus,
  namesByCores,
  namesByStatus,
  SHARDS_INFO,
  type SolrTopology,
  shardAddresses,
} from "./shards.js";

/** Solr lacks collections that the service needs. */
export class MissingCollections extends SetupError {
  override readonly name = "MissingCollections";
  constructor(
    readonly missing: readonly string[],
    endpoint: SolrEndpoint,
  ) {
    const noun = missing.length === 1 ? "collection" : "collections";
    super(
      `Solr at ${addressesOf(endpoint)} has no ${noun} ${missing.join(" and ")}; create missing collections with \`climate-nextgen solr setup\`.`,
    );
  }
}

/**
 * The latest fields of the catalogue. A collection without them would accept documents and silently drop these fields, such
 * as the owner.
 */
const NEWEST_FIELDS = [
  "_generation_",
  "owner",
  "inode",
  "dataset_id",
  "time_start",
  "latest",
  "_dataset_version_",
];

/** A collection has documents or the configset of an earlier release. */
export class OutdatedCollection extends SetupError {
  override readonly name = "OutdatedCollection";
  constructor(collections: readonly string[], endpoint: SolrEndpoint) {
    const [noun, verb] = collections.length === 1 ? ["collection", "is"] : ["collections", "are"];
    super(
      `The ${noun} ${collections.join(" and ")} of Solr at ${addressesOf(endpoint)} ${verb} of an earlier release; stop every service and run \`climate-nextgen solr upgrade\`.`,
    );
  }
}

/** Fields that the schemas of all generations have, to tell them from those of other programs. */
const OLDEST_FIELDS = { configset: "time_raw", state: "expires_at" };

/**
 * Inspects collections, cores or aliases by a search for the number of documents and for the shards. Unlike the admin API,
 * this needs only permission to search.
 *
 * @throws SetupError if Solr refuses the credentials; SolrUnavailable if it cannot be reached or fails
 */
export async function inspectCollections(
  endpoint: SolrEndpoint,
  names: readonly string[],
): Promise<SolrTopology> {
  const inspections = await Promise.all(names.map((name) => inspectCollection(endpoint, name)));
  const missing = names.filter((_, i) => inspections[i] === undefined);
  if (missing.length > 0) throw new MissingCollections(missing, endpoint);
  for (const [i, name] of names.entries()) {
    const { generation = 0 } = inspections[i] ?? {};
    if (generation <= GENERATION) continue;
    throw new SetupError(
      `The collection ${name} of Solr at ${addressesOf(endpoint)} is of a later release of climate-nextgen (index generation ${generation}; this release reads generation ${GENERATION}); start the release that upgraded it, or a later one.`,
    );
  }
  const outdated = names.filter((_, i) => inspections[i]?.isOutdated);
  if (outdated.length > 0) throw new OutdatedCollection(outdated, endpoint);
  return {
    cloud: inspections.some((seen) => seen?.cloud === true),
    shards: Object.fromEntries(names.map((name, i) => [name, inspections[i]?.shards ?? []])),
  };
}

/** The properties of a collection that a search reveals. */
interface CollectionInspection {
  readonly cloud: boolean;
  /** The names of its shards; empty for a single core. */
  readonly shards: readonly string[];
  /** Whether its schema, or some documents, are of an earlier generation. */
  readonly isOutdated: boolean;
  /** The latest generation among its documents; undefined if it has none. */
  readonly generation?: number | undefined;
}

/**
 * Inspects one collection, as inspectCollections does.
 *
 * @returns undefined if there is no collection of this name
 * @throws SetupError if Solr refuses the credentials, or the collection is of another program
 */
export async function inspectCollection(
  endpoint: SolrEndpoint,
  name: string,
): Promise<CollectionInspection | undefined> {
  const nothing = { q: "*:*", rows: "0", wt: "json", omitHeader: "false" };
  const parameters = new URLSearchParams({ ...nothing, ...SHARDS_INFO });
  const configset = configsetOf(name);
  const hasGenerations = configset === "configset";
  // Solr refuses to sort by a field that does not exist. A filter by one would be accepted.
  const sort = (...fields: string[]) => fields.map((field) => `${field} asc`).join(",");
  const ofAnyRelease = sort(OLDEST_FIELDS[configset]);
  parameters.set("sort", hasGenerations ? sort(...NEWEST_FIELDS) : ofAnyRelease);
  if (hasGenerations) {
    parameters.set("fq", `{!tag=outdated cache=false}-_generation_:[${GENERATION} TO *]`);
    parameters.set("json.facet", JSON.stringify(NEWEST_GENERATION));
  }
  const path = handlerPath(encodeURIComponent(name), "select");
  const { status, text } = await askNodes(endpoint, path, parameters);
  if (status === 404) return undefined;
  if (status === 401 || status === 403) {
    throw new SetupError(
      `Solr at ${addressesOf(endpoint)} refuses access to ${name} (${status}); check SOLR_USER and SOLR_PASSWORD.`,
    );
  }
  if (status === 400) {
    const oldest = new URLSearchParams({ ...nothing, sort: ofAnyRelease });
    const { status } = await askNodes(endpoint, path, oldest);
    if (status !== 400) return { cloud: false, shards: [], isOutdated: true };
    throw new SetupError(
      `The collection ${name} of Solr at ${addressesOf(endpoint)} was made by another program; set a SOLR_COLLECTION_PREFIX that nothing else in this Solr uses, such as next_, and run \`climate-nextgen solr setup\`.`,
    );
  }
  if (status < 200 || status >= 300) {
    throw new SolrUnavailable(`Solr at ${addressesOf(endpoint)} answers ${status} for ${name}`);
  }
  const { addresses, ...inspection } = readInspection(text, hasGenerations);
  return {
    ...inspection,
    shards: inspection.cloud ? await shardNames(endpoint, name, addresses) : [],
  };
}

const NEWEST_GENERATION = {
  all: {
    type: "query",
    domain: { excludeTags: "outdated" },
    facet: { generation: "max(_generation_)" },
  },
};

/** Sends a request to live nodes, then to the others, until one has an answer; else the first failure. */
async function askNodes(
  endpoint: SolrEndpoint,
  path: string,
  parameters: URLSearchParams,
): Promise<NodeAnswer> {
  const { urls, preference } = await reachable(endpoint);
  if (preference !== undefined) parameters.set("shards.preference", preference);
  let failure: unknown;
  let firstFailure: NodeAnswer | undefined;
  for (const node of urls) {
    try {
      const signal = AbortSignal.timeout(30_000);
      const answer = await fetchNode(endpoint, `${path}?${parameters}`, { node, signal });
      if (answer.status !== 404 && answer.status < 500) return answer;
      firstFailure ??= answer;
    } catch (cause) {
      failure ??= cause;
    }
  }
  if (firstFailure !== undefined) return firstFailure;
  throw unreachable(endpoint, failure);
}

/**
 * The names of shards, from the names of their cores, which needs only permission to search. If these do not show it, from
 * the admin API. Without permission for that, the addresses, which Solr accepts too, as long as no replica moves.
 */
async function shardNames(
  endpoint: SolrEndpoint,
  name: string,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const names = namesByCores(addresses) ?? (await shardNamesByAdmin(endpoint, name));
  if (names !== undefined) return names;
  if (addresses.every((address) => address !== "")) return addresses;
  throw new SolrUnavailable(`no replica of a shard of ${name} answers`);
}

/** @returns undefined without permission for the admin API */
async function shardNamesByAdmin(
  endpoint: SolrEndpoint,
  name: string,
): Promise<readonly string[] | undefined> {
  try {
    return namesByStatus(
      await new SolrAdmin(endpoint).ask("admin/collections", clusterStatus(name)),
    );
  } catch (error) {
    if (error instanceof AdminRefused || error instanceof SetupError) return undefined;
    throw error;
  }
}

function readInspection(text: string, hasGenerations: boolean) {
  const answer = JSON.parse(text) as {
    response?: { numFound?: number };
    responseHeader?: { zkConnected?: boolean };
    facets?: { all?: { generation?: number } };
  };
  return {
    // Only SolrCloud has this field.
    cloud: answer.responseHeader?.zkConnected !== undefined,
    addresses: shardAddresses(answer),
    isOutdated: hasGenerations && (answer.response?.numFound ?? 0) > 0,
    generation: answer.facets?.all?.generation,
  };
}
