/** Versions of an index, by which an answer that was kept is known to hold still. */
import type { CallOptions, SolrCollection } from "../transport/client.js";
import { isLong, type SolrReply } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";

/** What Solr answered, and in which version of the index. */
export interface Versioned {
  /** Solr's JSON, parsed. */
  readonly reply: unknown;
  /**
   * As long as the index has this version the answer holds. It is that of the index when this was counted, or an
   * earlier one, which then never comes again. Undefined where it is not known.
   */
  readonly version: string | undefined;
}

export interface IndexVersions {
  /**
   * Asks Solr.
   *
   * @param question the parameters, as they stand in an address
   * @param known the version of an answer to the same question that was kept
   * @returns undefined where the index has that version now, so that what was kept is the answer
   * @throws what SolrHttp.send throws
   */
  select(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined>;
}

/** Between the parts of a version, which have none. */
const BESIDE = "\n";

/**
 * The version of one index: its entity tag, and the time at which it was opened. The number in the tag counts on from the last
 * commit when Solr is started again after a crash, and may come again for other documents.
 *
 * @returns undefined where Solr does not tell
 */
export function versionOf({ etag, lastModified }: SolrReply): string | undefined {
  return etag === undefined ? undefined : `${etag}${BESIDE}${lastModified}`;
}

/** Milliseconds after a change for which a tag alone proves nothing. */
const UNSURE = 2000;

/**
 * Of many who ask at once after a change, Solr may give some the tag of before (org.apache.solr.servlet.cache.HttpCacheHeaderUtil
 * renews it in two steps).
 */
const isJustOpened = ({ lastModified }: SolrReply): boolean =>
  Date.parse(lastModified ?? "") > Date.now() - UNSURE;

/** The cheapest question. */
export const NOTHING = { q: "-*:*", rows: "0", wt: "json" };

/**
 * Of one Solr: its entity tag changes with the index, so that the question itself asks for the version as well. Where
 * it is the known one, Solr replies 304 without running the query.
 */
export class EntityTags implements IndexVersions {
  async select(
    collection: SolrCollection,
    question: string,
    known: string | undefined,
    options: CallOptions,
  ): Promise<Versioned | undefined> {
    if (!isLong(question)) return this.#ask(collection, question, known, options);
    // Every answer has the same tag: where the question gets none, another one tells it. What is answered then may be of
    // a later version, which holds as long as the one before would.
    const before = await this.#ask(
      collection,
      String(new URLSearchParams(NOTHING)),
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
    const [ifNoneMatch] = known?.split(BESIDE) ?? [];
    let reply = await collection.select(question, { ...options, ifNoneMatch });
    if (reply.status === 304) {
      if (versionOf(reply) === known && !isJustOpened(reply)) return undefined;
      reply = await collection.select(question, options);
    }
    return { reply: readAnswer(reply.text), version: versionOf(reply) };
  }
}
