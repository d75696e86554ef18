/**
 * Serves a zarr v2 or v3 store in a folder: its own keys and bytes, and consolidated metadata if it has none. Only the
 * reading processes parse its documents.
 */

import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { remembered } from "../../../platform/concurrency/single-flight.js";
import { FileChanged, NotReadableFormat } from "../../netcdf/errors.js";
import { fileIdentity } from "../../netcdf/source/file-identity.js";
import type { Stamp } from "../../rights/path-nodes.js";
import {
  type Content,
  type Dataset,
  isDocumentKey,
  NO_SUCH_DOCUMENT,
  type Slice,
  UNKNOWN_KEY,
  UNWRITTEN,
} from "../dataset/dataset.js";
import type { DatasetHeader } from "../metadata/header.js";
import { nameOf, parentOf } from "../metadata/keys.js";
import type { Summary } from "../metadata/summary.js";
import type { DescriptorCache } from "../open/descriptor-cache.js";
import { contentTag, keyTag } from "../open/entity-tags.js";
import { requireFewChunks } from "../slice/gather.js";
import type { Selection } from "../slice/selection.js";
import type { ReadingClient } from "../worker/client.js";
import type { ReadingPool } from "../worker/pool.js";
import { isPlain, StoreFolder, type StorePlace, stampOf } from "./folder.js";
import { STORE_MARKS, type StoreFormat, storeFormat } from "./format.js";
import { arraysOfKey, isChunkOf, type StoreNode } from "./nodes.js";
import type { Gathered, StoredArray, StoreQuestion, StoreTask, StoreValues } from "./orders.js";

/** Cached groups and arrays of one store, and their lifetime in milliseconds. */
const MAX_NODES = 10_000;
const TTL = 5000;
/** Minimum age in milliseconds before an unknown chunk key causes a reload: the array may have grown. */
const MIN_RELOAD_AGE = 500;

type NodeCache = LRUCache<string, Promise<StoreNode | undefined>>;

interface StoreParts {
  readonly pool: ReadingPool;
  readonly descriptors: DescriptorCache;
}

/**
 * Checks that a caller may read a part of a store.
 *
 * @param stamp of the opened file; undefined if nothing exists
 * @throws the error to report to a caller without access
 */
export type Guard = (
  path: string,
  stamp: Stamp | undefined,
  wanted: "read" | "list",
) => Promise<void>;

export class ZarrStore implements Dataset {
  readonly #folder: StoreFolder;
  readonly #nodes: NodeCache;

  readonly #place: StorePlace;
  readonly #parts: StoreParts;
  readonly #guard: Guard | undefined;

  private constructor(
    place: StorePlace,
    readonly format: StoreFormat,
    parts: StoreParts,
    nodes: NodeCache = new LRUCache({ max: MAX_NODES, ttl: TTL }),
    guard?: Guard,
  ) {
    this.#place = place;
    this.#parts = parts;
    this.#nodes = nodes;
    this.#guard = guard;
    this.#folder = new StoreFolder(place);
  }

  /** The same store for a caller with limited access. Both share the cache of nodes. */
  guarded(guard: Guard): ZarrStore {
    return new ZarrStore(this.#place, this.format, this.#parts, this.#nodes, guard);
  }

  static async open(place: StorePlace, parts: StoreParts): Promise<ZarrStore> {
    const folder = new StoreFolder(place);
    for (const name of STORE_MARKS) {
      const found = await folder.find(name);
      await found?.handle.close();
      const format = found && storeFormat([name]);
      if (format !== undefined) return new ZarrStore(place, format, parts);
    }
    throw new NotReadableFormat("This folder is not a zarr store.");
  }

  get path(): string {
    return this.#place.path;
  }

  async content(key: string, client?: ReadingClient): Promise<Content> {
    if (!isPlain(key)) return UNKNOWN_KEY;
    if (isDocumentKey(key)) return this.#documentContent(key, client);
    return (await this.#isChunk(key, client))
      ? ((await this.#stored(key)) ?? UNWRITTEN)
      : UNKNOWN_KEY;
  }

  /** A document of a known group or array. */
  async #documentContent(key: string, client: ReadingClient | undefined): Promise<Content> {
    const node = await this.#node(parentOf(key), client);
    if (node === undefined) return NO_SUCH_DOCUMENT;
    const isWhole = node.kind === "array" || (this.format === "zarr v3" && node.isConsolidated);
    const stored = await this.#stored(key);
    const mayBeMade =
      !isWhole &&
      (nameOf(key) === "zarr.json" || (nameOf(key) === ".zmetadata" && stored === undefined));
    const made = mayBeMade ? await this.#gather({ kind: "store-made", key }, client) : undefined;
    if (made !== undefined) return { kind: "document", ...made };
    return stored ?? NO_SUCH_DOCUMENT;
  }

  /** The stored bytes of a key. */
  async #stored(key: string): Promise<Content | undefined> {
    const found = await this.#folder.find(key);
    if (this.#guard !== undefined) {
      const stamp = found && stampOf(found.stats);
      await this.#guard(join(this.#place.path, key), stamp, "read").catch(async (error) => {
        await found?.handle.close();
        throw error;
      });
    }
    if (found === undefined) return undefined;
    const identity = fileIdentity(found.stats);
    this.#parts.descriptors.adopt(found.real, identity, found.handle);
    const range = { path: found.real, identity, offset: 0, length: identity.size };
    return { kind: "range", range, tag: keyTag(identity, key) };
  }

  async #isChunk(key: string, client: ReadingClient | undefined): Promise<boolean> {
    for (const path of arraysOfKey(key)) {
      const rest = path === "" ? key : key.slice(path.length + 1);
      const node = await this.#node(path, client);
      if (node === undefined) return false;
      if (node.kind === "group") continue;
      if (isChunkOf(node, rest)) return true;
      const now = await this.#node(path, client, MIN_RELOAD_AGE);
      return now?.kind === "array" && isChunkOf(now, rest);
    }
    return false;
  }

  /** The node at a path. @param age maximum age of a cached node, in milliseconds */
  #node(
    path: string,
    client: ReadingClient | undefined,
    age = TTL,
  ): Promise<StoreNode | undefined> {
    if (this.#nodes.getRemainingTTL(path) <= TTL - age) this.#nodes.delete(path);
    const question = { kind: "store-node", at: path } as const;
    return remembered(this.#nodes, path, async () => (await this.#ask(question, client)).value);
  }

  async #ask<T extends StoreQuestion>(
    question: T,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Gathered<StoreValues[T["kind"]]>> {
    const { format } = this;
    const place = this.#place;
    const task: StoreTask = { ...question, path: place.path, place, format };
    const answer = await this.#parts.pool.run(task, client, signal);
    return answer as Gathered<StoreValues[T["kind"]]>;
  }

  /** The result of a task, checked against the caller's access to all files used. */
  async #gather<T extends StoreQuestion>(
    question: T,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<StoreValues[T["kind"]]> {
    const { value, used, missing } = await this.#ask(question, client, signal);
    const guard = this.#guard;
    if (guard !== undefined) {
      const at = (key: string): string => join(this.#place.path, key);
      await Promise.all([
        ...used.map(({ key, isFolder, id, changed }) =>
          guard(at(key), { id, changed }, isFolder ? "list" : "read"),
        ),
        ...missing.map((key) => guard(at(key), undefined, "read")),
      ]);
    }
    return value;
  }

  async document(key: string): Promise<string | undefined> {
    return isPlain(key) && isDocumentKey(key)
      ? this.#gather({ kind: "store-document", key })
      : undefined;
  }

  async array(path: string, client?: ReadingClient): Promise<StoredArray | undefined> {
    if (path !== "" && !isPlain(path)) return undefined;
    return this.#gather({ kind: "store-array", at: path }, client);
  }

  async slice(
    path: string,
    selection: Selection,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Slice> {
    const array = await this.array(path, client);
    if (array === undefined) throw new FileChanged("The store was changed.");
    requireFewChunks(selection, array.chunks);
    const { chunkBytes } = array;
    const order = { kind: "store-slice", at: path, selection, chunkBytes } as const;
    const data = await this.#gather(order, client, signal);
    return { data, tag: contentTag(data) };
  }

  header(client?: ReadingClient): Promise<DatasetHeader> {
    return this.#gather({ kind: "store-header" }, client);
  }

  summary(client?: ReadingClient): Promise<Summary> {
    return this.#gather({ kind: "store-summary" }, client);
  }
}
