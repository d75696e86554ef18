/** Presents many files as one zarr store. Chunks are stored bytes of the files wherever their plan allows it. */

import { chunkGrid, chunkNumber } from "../../netcdf/chunk-table.js";
import { NotReadableFormat } from "../../netcdf/errors.js";
import { elementCount } from "../../netcdf/shape.js";
import type { RenderedCache } from "../body/rendered-cache.js";
import { chunkOf } from "../chunk-place.js";
import {
  type ArrayFacts,
  type ChunkPlace,
  type Content,
  isDocumentKey,
  NO_SUCH_DOCUMENT,
  type ReferableDataset,
  type Slice,
  UNKNOWN_KEY,
} from "../dataset/dataset.js";
import { consolidated, type Documents, makeDocuments } from "../metadata/documents.js";
import { type DatasetHeader, readHeader } from "../metadata/header.js";
import { type Summary, summarize } from "../metadata/summary.js";
import { contentTag } from "../open/entity-tags.js";
import { hasNumbers } from "../slice/file-slice.js";
import type { Selection } from "../slice/selection.js";
import type { ReadingClient } from "../worker/client.js";
import { DataChunks, type JoinAccess } from "./data-chunks.js";
import { joinedSlice } from "./joined-slice.js";
import type { JoinPlan, PlannedArray } from "./plan/planned.js";

export class JoinedDataset implements ReferableDataset {
  readonly #documents: Documents;
  /** A digest of all files in their state, and of how they are joined. */
  readonly #digest: string;
  readonly #rendered: RenderedCache;
  readonly #access: JoinAccess;
  readonly #chunks: DataChunks;

  constructor(
    readonly plan: JoinPlan,
    digest: string,
    rendered: RenderedCache,
    access: JoinAccess,
    documents = documentsOf(plan),
  ) {
    this.#digest = digest;
    this.#rendered = rendered;
    this.#access = access;
    this.#documents = documents;
    this.#chunks = new DataChunks(plan.groups, rendered, access);
  }

  /** The same store for another reader. */
  for(access: JoinAccess): JoinedDataset {
    return new JoinedDataset(this.plan, this.#digest, this.#rendered, access, this.#documents);
  }

  get path(): string {
    return this.plan.recipe.files[0]?.file ?? "";
  }

  get format(): string {
    const files = this.plan.groups.reduce((sum, { runs }) => sum + runs.length, 0);
    return `${files} files joined`;
  }

  async documents(): Promise<ReadonlyMap<string, string>> {
    await this.#access.all();
    return this.#documents.texts;
  }

  async document(key: string): Promise<string | undefined> {
    await this.#access.all();
    return this.#documentText(key);
  }

  #documentText(key: string): string | undefined {
    const { texts } = this.#documents;
    return key === ".zmetadata" ? consolidated(texts, "") : texts.get(key);
  }

  #tag(key: string): string {
    return contentTag(`${this.#digest} ${key}`);
  }

  async content(key: string, client?: ReadingClient): Promise<Content> {
    const tag = this.#tag(key);
    if (isDocumentKey(key)) {
      await this.#access.all();
      const text = this.#documentText(key);
      return text === undefined ? NO_SUCH_DOCUMENT : { kind: "document", text, tag };
    }
    const found = this.#chunkOf(key);
    if (found === undefined) return UNKNOWN_KEY;
    const { array, place } = found;
    const { origin } = array;
    if (origin.kind === "fixed") {
      await this.#access.all();
      const content = await (await this.#access.open(origin.file, client)).content(key, client);
      return content.kind === "range" || content.kind === "bytes" ? { ...content, tag } : content;
    }
    if (origin.kind === "held") {
      await this.#access.all();
      return { kind: "bytes", data: heldChunk(array, origin.bytes, place), tag };
    }
    return this.#chunks.content({ plan: array.plan, origin, place, tag }, client);
  }

  async locate(key: string, client?: ReadingClient): Promise<ChunkPlace | undefined> {
    const found = isDocumentKey(key) ? undefined : this.#chunkOf(key);
    if (found === undefined) return undefined;
    const { array, place } = found;
    const { origin } = array;
    if (origin.kind === "held") return "decoded";
    if (origin.kind === "fixed") {
      return (await this.#access.open(origin.file, client)).locate(key, client);
    }
    return this.#chunks.locate({ plan: array.plan, origin, place, tag: "" }, client);
  }

  /** Its chunks are stored ranges wherever the plan of the join allows it. */
  referable(): this {
    return this;
  }

  #chunkOf(key: string) {
    const { arrays } = this.plan;
    const found = chunkOf(key, { get: (path) => arrays.get(path)?.plan });
    const array = found && arrays.get(found.plan.path);
    return array && { array, place: found.place };
  }

  async array(path: string): Promise<ArrayFacts | undefined> {
    await this.#access.all();
    const variable = this.plan.arrays.get(path)?.plan.variable;
    return variable && { shape: variable.shape, hasNumbers: hasNumbers(variable) };
  }

  async slice(
    path: string,
    selection: Selection,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Slice> {
    const array = this.plan.arrays.get(path);
    if (array === undefined) throw new NotReadableFormat("There is no variable of this name.");
    if (array.origin.kind === "held") await this.#access.all();
    const data = await joinedSlice(this.plan, array, selection, this.#access, client, signal);
    return { data, tag: this.#tag(JSON.stringify([path, selection])) };
  }

  async header(): Promise<DatasetHeader> {
    await this.#access.all();
    return readHeader(this.#documents.texts);
  }

  async summary(): Promise<Summary> {
    await this.#access.all();
    return summarize(this.format, undefined, this.#documents.texts);
  }
}

function documentsOf({ attributes, arrays, leftOut }: JoinPlan): Documents {
  const variables = [...arrays.values()].map(({ plan }) => plan.variable);
  const root = { path: "", attributes, variables, groups: [], leftOut };
  return makeDocuments(root, (path, variable) => {
    const planned = arrays.get(path)?.plan;
    if (planned === undefined) throw new NotReadableFormat(`There is no plan of ${variable.name}.`);
    return planned;
  });
}

/** A chunk of values in memory. Only the first dimension has several chunks; the last is filled up. */
function heldChunk(
  { plan }: PlannedArray,
  bytes: Uint8Array,
  place: readonly number[],
): Uint8Array {
  const { variable, chunks } = plan;
  if (variable.type.kind === "text") return bytes;
  const length = elementCount(chunks) * variable.stored.size;
  const from = chunkNumber(place, chunkGrid(variable.shape, chunks)) * length;
  const chunk = new Uint8Array(length);
  chunk.set(bytes.subarray(from, from + length));
  return chunk;
}
