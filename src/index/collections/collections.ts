import { SolrUnavailable } from "../errors.js";
import {
  addressesOf,
  authorization,
  handlerPath,
  type SolrEndpoint,
  solrUrl,
} from "../transport/endpoint.js";
import { reachable } from "../transport/reachable.js";
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

export type { SolrTopology } from "./shards.js";

/** Collections that the service needs and Solr does not have. */
export class MissingCollections extends SetupError {
  override readonly name = "MissingCollections";
  constructor(
    readonly missing: readonly string[],
    endpoint: SolrEndpoint,
  ) {
    const noun = missing.length === 1 ? "collection" : "collections";
    super(
      `Solr at ${addressesOf(endpoint)} has no ${noun} ${missing.join(" and ")}; make what is missing with \`climate-nextgen solr setup\`.`,
    );
  }
}

/**
 * The fields that came last to a configset: a collection without them takes documents and drops, without a word,
 * whose they are or what they lead to.
 */
const NEWEST_FIELDS: Readonly<Record<string, readonly string[]>> = {
  configset: ["_generation_", "owner", "inode", "dataset_id", "time_start"],
};

/** A collection holds documents of an earlier release, or has its configset. */
export class OutdatedCollection extends SetupError {
  override readonly name = "OutdatedCollection";
  constructor(collections: readonly string[], endpoint: SolrEndpoint) {
    const [noun, verb] = collections.length === 1 ? ["collection", "is"] : ["collections", "are"];
    super(
      `The ${noun} ${collections.join(" and ")} of Solr at ${addressesOf(endpoint)} ${verb} of an earlier release; lift the index with \`climate-nextgen solr upgrade\`, during which it can be searched.`,
    );
  }
}

/**
 * Looks at collections (or cores, or aliases) by asking each for its number of documents and what shards
 * answered: unlike the admin interface, that needs no more than the right to search.
 *
 * Throws MissingCollections, OutdatedCollection, SetupError when Solr refuses the credentials, SolrUnavailable when it is not
 * reached or not well.
 */
export async function inspectCollections(
  endpoint: SolrEndpoint,
  names: readonly string[],
  fetchImpl: typeof fetch = fetch,
): Promise<SolrTopology> {
  const looks = await Promise.all(names.map((name) => lookAt(endpoint, name, fetchImpl)));
  const missing = names.filter((_, i) => looks[i] === undefined);
  if (missing.length > 0) throw new MissingCollections(missing, endpoint);
  const outdated = names.filter((_, i) => looks[i]?.isOutdated);
  if (outdated.length > 0) throw new OutdatedCollection(outdated, endpoint);
  return {
    cloud: looks.some((seen) => seen?.cloud === true),
    shards: Object.fromEntries(names.map((name, i) => [name, looks[i]?.shards ?? []])),
  };
}

/** What a collection tells of itself to who may search it. */
export interface Look {
  readonly cloud: boolean;
  /** The names of its shards; none of a single core. */
  readonly shards: readonly string[];
  /** Its schema is of an earlier generation, or some of its documents are. */
  readonly isOutdated: boolean;
}

/**
 * Looks at one collection, as inspectCollections does. Undefined: there is none of that name.
 *
 * @throws SetupError when Solr refuses the credentials, SolrUnavailable
 */
export async function lookAt(
  endpoint: SolrEndpoint,
  name: string,
  fetchImpl: typeof fetch = fetch,
): Promise<Look | undefined> {
  const nothing = { q: "*:*", rows: "0", wt: "json", omitHeader: "false" };
  const parameters = new URLSearchParams({ ...nothing, ...SHARDS_INFO });
  const newest = NEWEST_FIELDS[configsetOf(name)];
  const hasGenerations = newest !== undefined;
  if (hasGenerations) {
    parameters.set("fq", `{!cache=false}-_generation_:[${GENERATION} TO *]`);
    // Nothing is to be sorted, but it is refused where there is no such field; a filter is not.
    parameters.set("sort", newest.map((field) => `${field} asc`).join(","));
  }
  const path = handlerPath(encodeURIComponent(name), "select");
  const { status, text } = await askInTurn(endpoint, path, parameters, fetchImpl);
  if (status === 404) return undefined;
  if (status === 401 || status === 403) {
    throw new SetupError(
      `Solr at ${addressesOf(endpoint)} refuses access to ${name} (${status}); check SOLR_USER and SOLR_PASSWORD.`,
    );
  }
  if (status === 400 && hasGenerations) return { cloud: false, shards: [], isOutdated: true };
  if (status < 200 || status >= 300) {
    throw new SolrUnavailable(`Solr at ${addressesOf(endpoint)} answers ${status} for ${name}`);
  }
  const { addresses, ...look } = readLook(text, hasGenerations);
  return { ...look, shards: look.cloud ? await namesOf(endpoint, name, addresses) : [] };
}

interface Told {
  readonly status: number;
  readonly text: string;
}

/** Asks the nodes that live, then the others, until one knows; else what the first has said. @throws SolrUnavailable */
async function askInTurn(
  endpoint: SolrEndpoint,
  path: string,
  parameters: URLSearchParams,
  fetchImpl: typeof fetch,
): Promise<Told> {
  const { urls, preference } = await reachable(endpoint, fetchImpl);
  if (preference !== undefined) parameters.set("shards.preference", preference);
  let failure: unknown;
  let told: Told | undefined;
  for (const node of urls) {
    const url = solrUrl(endpoint, path, node);
    url.search = parameters.toString();
    try {
      const response = await fetchImpl(url, {
        headers: authorization(endpoint),
        redirect: "error",
        signal: AbortSignal.timeout(30_000),
      });
      const answer = { status: response.status, text: await response.text() };
      if (answer.status !== 404 && answer.status < 500) return answer;
      told ??= answer;
    } catch (cause) {
      failure ??= cause;
    }
  }
  if (told !== undefined) return told;
  throw unreachable(endpoint, failure);
}

/**
 * Names of shards: from the cores' own names, for which the right to search is enough; where these do not tell, from
 * the admin interface; and where we may not ask that, the addresses themselves, which Solr takes as well, as long as
 * no replica moves.
 *
 * @throws SolrUnavailable
 */
async function namesOf(
  endpoint: SolrEndpoint,
  name: string,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const names = namesByCores(addresses) ?? (await askedNames(endpoint, name));
  if (names !== undefined) return names;
  if (addresses.every((address) => address !== "")) return addresses;
  throw new SolrUnavailable(`a shard of ${name} has no replica that answers`);
}

/** @returns undefined where we are not let into the admin interface */
async function askedNames(
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

function readLook(text: string, hasGenerations: boolean) {
  const answer = JSON.parse(text) as {
    response?: { numFound?: number };
    responseHeader?: { zkConnected?: boolean };
  };
  return {
    // Only a Solr that has a ZooKeeper speaks of it.
    cloud: answer.responseHeader?.zkConnected !== undefined,
    addresses: shardAddresses(answer),
    isOutdated: hasGenerations && (answer.response?.numFound ?? 0) > 0,
  };
}
