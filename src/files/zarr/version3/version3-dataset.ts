/** Presents any data set that has documents of zarr v2 as a zarr v3 store. Its chunks have the same keys and bytes. */
import type { Header } from "../../cf/header.js";
import {
  type ArrayFacts,
  type ChunkPlace,
  type Content,
  type Dataset,
  isDocumentKey,
  NO_SUCH_DOCUMENT,
  type Slice,
  type Value,
} from "../dataset/dataset.js";
import { joinKey, nameOf, parentOf } from "../metadata/keys.js";
import type { Summary } from "../metadata/summary.js";
import { contentTag } from "../open/entity-tags.js";
import type { Selection } from "../slice/selection.js";
import type { ReadingClient } from "../worker/client.js";

/** Documents of v2 from which one document of v3 is made. */
export interface Version2Parts {
  readonly kind: "group" | "array";
  /** `.zmetadata` of a group, `.zarray` of an array. */
  readonly document: Value;
  /** `.zattrs` of an array. */
  readonly attributes: Value | undefined;
}

/** Converts documents, off the main thread if they are long. @returns undefined if v3 cannot express the array */
export type Convert = (
  parts: Version2Parts,
  client: ReadingClient | undefined,
) => Promise<string | undefined>;

export class Version3Dataset implements Dataset {
  readonly #inner: Dataset;
  readonly #convert: Convert;

  constructor(inner: Dataset, convert: Convert) {
    this.#inner = inner;
    this.#convert = convert;
  }

  get path(): string {
    return this.#inner.path;
  }

  get format(): string {
    return this.#inner.format;
  }

  async keys(): Promise<string[]> {
    const keys = await this.#inner.keys();
    const nodes = keys.filter((key) => /^\.z(array|group)$/.test(nameOf(key)));
    return nodes.map((key) => joinKey(parentOf(key), "zarr.json"));
  }

  async document(key: string): Promise<string | undefined> {
    const content = await this.content(key);
    return content.kind === "document" ? content.text : undefined;
  }

  async content(key: string, client?: ReadingClient): Promise<Content> {
    if (!isDocumentKey(key)) return this.#inner.content(key, client);
    if (nameOf(key) !== "zarr.json") return NO_SUCH_DOCUMENT;
    const parts = await this.#parts(parentOf(key), client);
    const text = parts && (await this.#convert(parts, client));
    if (parts === undefined || text === undefined) return NO_SUCH_DOCUMENT;
    const tag = this.tag(key) ?? contentTag(`${parts.document.tag} ${parts.attributes?.tag}`);
    return { kind: "document", text, tag };
  }

  async #parts(
    path: string,
    client: ReadingClient | undefined,
  ): Promise<Version2Parts | undefined> {
    const find = async (name: string): Promise<Value | undefined> => {
      const found = await this.#inner.content(joinKey(path, name), client);
      return found.kind === "absent" || found.kind === "unknown-key" ? undefined : found;
    };
    const array = await find(".zarray");
    if (array !== undefined) {
      return { kind: "array", document: array, attributes: await find(".zattrs") };
    }
    const group = await find(".zmetadata");
    return group && { kind: "group", document: group, attributes: undefined };
  }

  locate(key: string, client?: ReadingClient): Promise<ChunkPlace | undefined> {
    return this.#inner.locate(key, client);
  }

  referable(): Dataset {
    return new Version3Dataset(this.#inner.referable(), this.#convert);
  }

  array(path: string, client?: ReadingClient): Promise<ArrayFacts | undefined> {
    return this.#inner.array(path, client);
  }

  sliceTag(path: string, selection: Selection): string | undefined {
    return this.#inner.sliceTag(path, selection);
  }

  slice(
    path: string,
    selection: Selection,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Slice> {
    return this.#inner.slice(path, selection, client, signal);
  }

  tag(key: string): string | undefined {
    return this.#inner.tag(key);
  }

  header(client?: ReadingClient): Promise<Header> {
    return this.#inner.header(client);
  }

  summary(client?: ReadingClient): Promise<Summary> {
    return this.#inner.summary(client);
  }
}
