/** Versions of the index, which tell whether a cached answer is still valid. */
import type { CallOptions, SolrCollection } from "../transport/client.js";
import { isLong, type SolrReply } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";

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
  /**
   * Sends a query unless the cached answer is still valid.
   *
   * @param question the URL-encoded parameters
   * @param known the version of the cached answer
   * @returns undefined if the index still has the known version
   * @throws what SolrHttp.send throws
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
 * Versions of a single Solr by its entity tags, which change with the index. The query itself checks the version: if it is
 * the known one, Solr replies 304 without running the query.
 */
export class EntityTags implements IndexVersions {
  async select(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined> {
    if (!isLong(question)) return this.#ask(collection, question, known, options);
    // Long queries are sent by POST and get no tag, so another query reads it first. If the index changes in between, the
    // answer is cached under an outdated version and never used again.
    const before = await this.#ask(
      collection,
      String(new URLSearchParams(EMPTY_QUERY)),
      known,
      options,
    );
    if (before === undefined) return undefined;
    const { text } = await collection.select(question, options);
    return { reply: readAnswer(text), version: before.version };
  }

  async #ask(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined> {
    const [ifNoneMatch] = known?.split(SEPARATOR) ?? [];
    let reply = await collection.select(question, { ...options, ifNoneMatch });
    if (reply.status === 304) {
      if (versionOf(reply) === known && !isJustOpened(reply)) return undefined;
      reply = await collection.select(question, options);
    }
    return { reply: readAnswer(reply.text), version: versionOf(reply) };
  }
}
