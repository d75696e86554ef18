/** Versions of the index, which show whether a cached answer is still valid. */
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import type { CallOptions, SolrCollection } from "../transport/client.js";
import { isLong, type SolrReply } from "../transport/http.js";
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

export interface IndexVersions {
  /** Whether the index still has a version. Requests at the same time share one request to Solr. */
  isCurrent(collection: SolrCollection, version: string): Promise<boolean>;
  /**
   * Sends a query unless the cached answer is still valid.
   *
   * @param question the URL-encoded parameters
   * @returns undefined if the index still has the known version
   */
  select(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined>;
}

/** Separates the parts of a version, which contain no line break. */
const SEPARATOR = "\n";

/**
 * The version of one index: its entity tag and the time at which it was opened. The tag alone is not enough: after a crash,
 * Solr counts on from the last commit and may use the same tag for other documents.
 *
 * @returns undefined if Solr sends no entity tag
 */
export function versionOf({ etag, lastModified }: SolrReply): string | undefined {
  return etag === undefined ? undefined : `${etag}${SEPARATOR}${lastModified}`;
}

/** Milliseconds after a change during which an entity tag may be outdated. */
const MAX_STALE_TAG_MS = 2000;

/**
 * Whether the tag may be outdated: for concurrent requests after a change, Solr may return the previous tag, as it renews
 * the tag in two steps (org.apache.solr.servlet.cache.HttpCacheHeaderUtil).
 */
const isJustOpened = ({ lastModified }: SolrReply): boolean =>
  Date.parse(lastModified ?? "") > Date.now() - MAX_STALE_TAG_MS;

/** The cheapest query. */
export const EMPTY_QUERY = { q: "-*:*", rows: "0", wt: "json" };

/**
 * Versions of a single Solr by its entity tags, which change with the index. Solr sends the same tag with the answers of
 * all queries, and 304 without running the query if the request is for any other (`If-None-Match: *`).
 */
export class EntityTags implements IndexVersions {
  readonly #runs = new SingleFlight<string | undefined>();

  async isCurrent(collection: SolrCollection, version: string): Promise<boolean> {
    return (await this.#current(collection)) === version;
  }

  async select(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined> {
    // Long queries are sent by POST and get no tag, so it is read first. If the index changes in between, the answer is
    // cached under an outdated version and never used again.
    const before =
      known !== undefined || isLong(question) ? await this.#current(collection) : undefined;
    if (known !== undefined && before === known) return undefined;
    const reply = await collection.select(question, options);
    const version = isLong(question) ? before : versionOf(reply);
    return { reply: await readLongAnswer(reply.text), version };
  }

  /** The version now, never one from before the call; undefined if its tag may be outdated. */
  #current(collection: SolrCollection): Promise<string | undefined> {
    const ask = async (): Promise<string | undefined> => {
      const reply = await collection.select(new URLSearchParams(EMPTY_QUERY), { ifNoneMatch: "*" });
      return isJustOpened(reply) ? undefined : versionOf(reply);
    };
    return this.#runs.next(ask, collection.name);
  }
}
