/**
 * Versions of an index that is shared out over a SolrCloud.
 *
 * Solr makes no entity tag of an answer that several shards gave, but each replica, asked by itself, makes one of its
 * own index, which changes with all that can be seen there and with nothing else. All of them together are the version
 * of the whole. Replicas of one shard show a change at different moments, so everything is asked of the leaders, which
 * have what was acknowledged; who is one is asked twice a second, as an index that others have left behind still
 * answers.
 */
import { SingleFlight } from "../../platform/single-flight.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import { readAnswer } from "../transport/json-response.js";
import { type IndexVersions, NOTHING, type Versioned, versionOf } from "./index-versions.js";

/** Milliseconds after which it is asked anew who answers for the shards. */
const MAX_AGE_OF_LEADERS = 500;
/** Milliseconds that a version can stand for that of an answer which begins now. */
const MAX_AGE_OF_VERSION = 1000;
/** Milliseconds for asking; counting anew is the better choice then. */
const PATIENCE = 1000;

/** Asked of the leaders, as long as there are some, and told who answered, also where that is the node that is asked. */
const CHOICE = {
  "shards.preference": "replica.leader:true",
  "shards.info": "true",
  shortCircuit: "false",
};
/** What a search says of its shards; the address is that of the replica that answered. */
interface ShardsReply {
  readonly "shards.info"?: Readonly<Record<string, { readonly shardAddress?: string }>>;
}

/** The replicas that answered, in an order of their own; empty where one is not told. */
function answering(reply: unknown): readonly string[] {
  const shards = Object.values((reply as ShardsReply)["shards.info"] ?? {});
  const addresses = shards.map(({ shardAddress = "" }) => shardAddress.replace(/\/$/, ""));
  return addresses.includes("") ? [] : addresses.sort();
}

interface Seen {
  readonly at: number;
  /** Addresses of the replicas. */
  readonly replicas: readonly string[];
  readonly version: string;
}

const hasPassed = (milliseconds: number, since: number): boolean =>
  performance.now() - since > milliseconds;

/** What is known of one collection. */
class CollectionVersion {
  readonly #collection: SolrCollection;
  readonly #runs = new SingleFlight<Seen | undefined>();
  #leaders: { readonly at: number; readonly replicas: readonly string[] } | undefined;
  #seen: Seen | undefined;

  constructor(collection: SolrCollection) {
    this.#collection = collection;
  }

  /** As it is now; undefined where that cannot be told. */
  now(): Promise<Seen | undefined> {
    return this.#runs.next(() => this.#look());
  }

  /** As it was of late. */
  async lately(): Promise<Seen | undefined> {
    const seen = this.#seen;
    if (seen === undefined || hasPassed(MAX_AGE_OF_VERSION, seen.at)) return this.now();
    return seen;
  }

  async #look(): Promise<Seen | undefined> {
    const at = performance.now();
    try {
      const replicas = await this.#whoLeads();
      const versions = await Promise.all(replicas.map((address) => this.#versionOf(address)));
      const isTold = replicas.length > 0 && !versions.includes(undefined);
      const version = replicas.map((address, i) => `${address} ${versions[i]}`).join("\n");
      this.#seen = isTold ? { at, replicas, version } : undefined;
      return this.#seen;
    } catch {
      // A replica that is gone: who stands in for it is found out the next time.
      this.#leaders = undefined;
      this.#seen = undefined;
      return undefined;
    }
  }

  async #whoLeads(): Promise<readonly string[]> {
    if (this.#leaders !== undefined && !hasPassed(MAX_AGE_OF_LEADERS, this.#leaders.at)) {
      return this.#leaders.replicas;
    }
    const at = performance.now();
    const parameters = new URLSearchParams({ ...NOTHING, ...CHOICE });
    const { text } = await this.#collection.select(parameters, { timeoutMs: PATIENCE });
    const replicas = answering(readAnswer(text));
    this.#leaders = { at, replicas };
    return replicas;
  }

  /** The version of a replica's own index. */
  async #versionOf(address: string): Promise<string | undefined> {
    const core = address.slice(address.lastIndexOf("/") + 1);
    const parameters = new URLSearchParams({ ...NOTHING, distrib: "false" });
    // Whatever the tag is, it is all that is wanted.
    const options = { timeoutMs: PATIENCE, ifNoneMatch: "*", near: address };
    return versionOf(
      await new SolrCollection(this.#collection.http, core).select(parameters, options),
    );
  }
}

export class ShardVersions implements IndexVersions {
  readonly #collections = new Map<string, CollectionVersion>();

  async select(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined> {
    const version = this.#of(collection);
    const before = await (known === undefined ? version.lately() : version.now());
    if (known !== undefined && before?.version === known) return undefined;
    const asked = new URLSearchParams(question);
    for (const [name, value] of Object.entries(CHOICE)) asked.set(name, value);
    const { text } = await collection.select(asked, options);
    const reply = readAnswer(text);
    // Versions are numbers of one replica: of what another has counted they say nothing.
    const isTheirs = before?.replicas.join("\n") === answering(reply).join("\n");
    return { reply, version: isTheirs ? before?.version : undefined };
  }

  #of(collection: SolrCollection): CollectionVersion {
    const known = this.#collections.get(collection.name);
    if (known !== undefined) return known;
    const version = new CollectionVersion(collection);
    this.#collections.set(collection.name, version);
    return version;
  }
}
