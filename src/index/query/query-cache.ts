/** Answers of Solr that are kept as long as the index has the version in which they were worked out. */
import { LRUCache } from "lru-cache";
import { memoryOf } from "../../platform/memory-size.js";
import type { CallOptions, SolrCollection } from "../transport/client.js";
import type { IndexVersions, Versioned } from "./index-versions.js";

interface Kept<T extends object> {
  readonly version: string;
  readonly value: T;
}

/** Answers that were kept and held still, and those that were not. */
export interface KeptUse {
  readonly hits: number;
  readonly misses: number;
}

/** What is made of Solr's answer, and the version of the index that it is true of; undefined where it is of none. */
export interface Made<T> {
  readonly value: T;
  readonly version: string | undefined;
  /** Bytes that it takes to keep it, where it knows itself. */
  readonly size?: number;
}

/**
 * What Solr answers is kept with the version of the index that it was worked out in: as long as the index has that, nothing
 * is worked out again. The version is asked for each time, so that nothing stale is ever given.
 */
export class KeptAnswers<T extends object> {
  readonly #versions: IndexVersions;
  readonly #kept: LRUCache<string, Kept<T>>;
  readonly #use = { hits: 0, misses: 0 };

  /** @param size bound of all together, in bytes of memory */
  constructor(versions: IndexVersions, size: number) {
    this.#versions = versions;
    this.#kept = new LRUCache({ maxSize: size });
  }

  get use(): KeptUse {
    return this.#use;
  }

  /**
   * @param make what is given and kept of an answer
   * @param beside what it depends on beside the parameters
   * @throws what SolrHttp.send throws, and what `make` does
   */
  async ask(
    collection: SolrCollection,
    parameters: URLSearchParams,
    options: CallOptions,
    make: (answer: Versioned) => Made<T> | Promise<Made<T>>,
    beside = "",
  ): Promise<T> {
    const question = parameters.toString();
    const key = `${collection.name}?${question}#${beside}`;
    const kept = this.#kept.get(key);
    const answer = await this.#versions.select(collection, question, kept?.version, options);
    if (answer === undefined) {
      // Only what is known is confirmed.
      if (kept === undefined) throw new Error("an answer that nobody had was confirmed");
      this.#use.hits += 1;
      return kept.value;
    }
    this.#use.misses += 1;
    const { value, version, size } = await make(answer);
    if (version !== undefined) {
      const whole = memoryOf([key, version]) + (size ?? memoryOf(value));
      this.#kept.set(key, { version, value }, { size: whole });
    }
    return value;
  }
}
