/** A cache of Solr's answers. An answer is valid as long as the index has the version that it was computed from. */
import { LRUCache } from "lru-cache";
import type { CallOptions } from "../transport/client.js";
import type { IndexVersions, Versioned } from "./index-versions.js";

interface CachedAnswer<T extends object> {
  readonly version: string;
  readonly value: T;
}

/** Requests that the cache has answered, and those that it has not. */
export interface CacheUsage {
  readonly hits: number;
  readonly misses: number;
}

/** A value computed from Solr's answer, with the index version it is valid for. Undefined: it must not be cached. */
export interface ComputedAnswer<T> {
  readonly value: T;
  readonly version: string | undefined;
  /** Bytes of memory. Left out: they are estimated. */
  readonly size?: number;
}

/** Whether an answer is still the one that its query would give. */
export interface Validity {
  /** @returns false also if that is unknown */
  isCurrent(): Promise<boolean>;
}

/**
 * Caches values with the index version that they were computed from. Every request checks the current version, so a stale
 * value is never returned.
 */
export class QueryCache<T extends object> {
  readonly #versions: IndexVersions;
  readonly #cache: LRUCache<string, CachedAnswer<T>>;
  readonly #usage = { hits: 0, misses: 0 };
  readonly #validities = new WeakMap<T, Validity>();

  /** @param size limit of the whole cache, in bytes of memory */
  constructor(versions: IndexVersions, size: number) {
    this.#versions = versions;
    this.#cache = new LRUCache({ maxSize: size });
  }

  get usage(): CacheUsage {
    return this.#usage;
  }

  /**
   * The value of a query, from the cache if it is still valid.
   *
   * @param extraKey what the value depends on in addition to the parameters
   */
  async ask(
    parameters: URLSearchParams,
    options: CallOptions,
    compute: (answer: Versioned) => ComputedAnswer<T> | Promise<ComputedAnswer<T>>,
    extraKey = "",
  ): Promise<T> {
    const query = parameters.toString();
    const key = `${query}#${extraKey}`;
    const cached = this.#cache.get(key);
    const answer = await this.#versions.select(query, cached?.version, options);
    if (answer === undefined) {
      if (cached === undefined)
        throw new Error("Solr confirmed an answer that is not in the cache");
      this.#usage.hits += 1;
      return cached.value;
    }
    this.#usage.misses += 1;
    const { value, version, size } = await compute(answer);
    if (version !== undefined) {
      const whole = memoryOf([key, version]) + (size ?? memoryOf(value));
      this.#cache.set(key, { version, value }, { size: whole });
      this.#validities.set(value, { isCurrent: () => this.#isCurrent(version) });
    }
    return value;
  }

  /** The validity of a value that `ask` has given; undefined if it is not cached. */
  validityOf(value: T): Validity | undefined {
    return this.#validities.get(value);
  }

  async #isCurrent(version: string): Promise<boolean> {
    const isCurrent = await this.#versions.isCurrent(version);
    if (isCurrent) this.#usage.hits += 1;
    return isCurrent;
  }
}

/** Bytes per value in V8 on 64-bit machines, with uncompressed pointers as in Node. */
const SLOT = 8;
const NUMBER = 16;
const STRING = 24;
const OBJECT = 32;
const ENTRY = 48;

/** Estimates the bytes of memory of a JSON value, or of maps of such values. A value that occurs twice counts twice. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return STRING + value.length;
  // Small integers are stored in the pointer itself.
  if (typeof value === "number") return (value | 0) === value ? 0 : NUMBER;
  if (typeof value !== "object" || value === null) return SLOT;
  if (ArrayBuffer.isView(value)) return OBJECT + value.byteLength;
  let sum = OBJECT;
  if (value instanceof Map) {
    for (const [key, one] of value) sum += ENTRY + memoryOf(key) + memoryOf(one);
  } else if (Array.isArray(value)) {
    for (const one of value) sum += SLOT + memoryOf(one);
  } else {
    // Objects of the same shape share their property names.
    for (const name in value) sum += SLOT + memoryOf((value as Record<string, unknown>)[name]);
  }
  return sum;
}
