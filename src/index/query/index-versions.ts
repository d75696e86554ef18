/**
 * Versions of an index, which tell whether a cached answer is still valid.
 *
 * A version is that of the searcher by which a replica answers, which Solr's Luke handler tells. It changes exactly when the
 * visible documents do, and at once. An entity tag of Solr does not: requests at the same time as a change may get the former one,
 * as Solr renews it in two steps (org.apache.solr.servlet.cache.HttpCacheHeaderUtil).
 *
 * In SolrCloud the versions of all shards together are the version of the index. Replicas of a shard show a change at different
 * times, so all requests go to the leaders, which have all acknowledged changes. The leaders are requested anew twice a second,
 * because an outdated replica still answers.
 */
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { answeringReplicas, NAMED_REPLICAS } from "../collections/shards.js";
import type { CallOptions, SolrCollection } from "../transport/client.js";
import { LEADERS_FIRST } from "../transport/http.js";
import { readLongAnswer } from "../transport/json-response.js";

/** Solr's answer and the version of the index. */
export interface Versioned {
  /** Solr's JSON, parsed. */
  readonly reply: unknown;
  /**
   * The answer is valid as long as the index has this version. It is the version that the answer was computed from, or an
   * earlier one, which never returns. Undefined if unknown.
   */
  readonly version: string | undefined;
}

/** Milliseconds after which the leaders are requested again. */
const MAX_LEADERS_AGE_MS = 500;
/**
 * Milliseconds that a version can be used as the one before a new query. If the index has changed since then, the answer is cached
 * under an outdated version and never used again.
 */
const MAX_VERSION_AGE_MS = 50;
/** Milliseconds for reading the version. After that, it is cheaper to compute the answer again. */
const TIMEOUT_MS = 1000;

const LEADERS = { "shards.preference": LEADERS_FIRST, ...NAMED_REPLICAS };

interface SeenVersion {
  readonly at: number;
  /** Addresses of the replicas; undefined for the index of a single Solr. */
  readonly replicas: readonly (string | undefined)[];
  readonly version: string;
}

const isOlderThan = (milliseconds: number, since: number): boolean =>
  performance.now() - since > milliseconds;

/** The versions of one collection. */
export class IndexVersions {
  readonly #runs = new SingleFlight<SeenVersion | undefined>();
  #leaders: { readonly at: number; readonly replicas: readonly string[] } | undefined;
  #seen: SeenVersion | undefined;

  constructor(readonly collection: SolrCollection) {}

  get #isCloud(): boolean {
    return this.collection.http.topology.cloud;
  }

  /** The current version, never one from before the call; undefined if it cannot be read. */
  #current(): Promise<SeenVersion | undefined> {
    return this.#runs.next(() => this.#probe());
  }

  /** A recent version; undefined if it cannot be read. */
  async #recent(): Promise<SeenVersion | undefined> {
    const seen = this.#seen;
    if (seen !== undefined && !isOlderThan(MAX_VERSION_AGE_MS, seen.at)) return seen;
    return this.#runs.join(() => this.#probe());
  }

  async #probe(): Promise<SeenVersion | undefined> {
    const at = performance.now();
    try {
      const replicas = this.#isCloud ? await this.#findLeaders() : [undefined];
      const timeoutMs = TIMEOUT_MS;
      const lines = replicas.map(async (replica) => {
        const version = await this.collection.searcherVersion({ timeoutMs, replica });
        return `${replica} ${version}`;
      });
      const version = (await Promise.all(lines)).join("\n");
      this.#seen = replicas.length > 0 ? { at, replicas, version } : undefined;
    } catch {
      // A replica may be gone. The next call finds its substitute.
      this.#leaders = undefined;
      this.#seen = undefined;
    }
    return this.#seen;
  }

  async #findLeaders(): Promise<readonly string[]> {
    if (this.#leaders !== undefined && !isOlderThan(MAX_LEADERS_AGE_MS, this.#leaders.at)) {
      return this.#leaders.replicas;
    }
    const at = performance.now();
    const replicas = await this.collection.replicas({ timeoutMs: TIMEOUT_MS }, LEADERS);
    this.#leaders = { at, replicas };
    return replicas;
  }

  /** Whether the index still has a version. Requests at the same time share one request to Solr. False also if that is unknown. */
  async isCurrent(version: string): Promise<boolean> {
    return (await this.#current())?.version === version;
  }

  /**
   * Sends a query unless the cached answer is still valid.
   *
   * @param question the URL-encoded parameters
   * @param known the version of the cached answer
   * @returns undefined if the index still has the known version
   */
  async select(
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined> {
    const before = await (known === undefined ? this.#recent() : this.#current());
    if (known !== undefined && before?.version === known) return undefined;
    if (!this.#isCloud) {
      const { text } = await this.collection.select(question, options);
      return { reply: await readLongAnswer(text), version: before?.version };
    }
    const parameters = new URLSearchParams(question);
    for (const [name, value] of Object.entries(LEADERS)) parameters.set(name, value);
    const { text } = await this.collection.select(parameters, options);
    const reply = await readLongAnswer(text);
    // Versions count per replica: they do not apply to answers of other replicas.
    const isTheirs = before?.replicas.join("\n") === answeringReplicas(reply).join("\n");
    return { reply, version: isTheirs ? before?.version : undefined };
  }
}
