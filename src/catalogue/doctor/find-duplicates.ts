/** Finds files with the same tracking_id or checksum that are not copies or versions of each other. */
import { basename } from "node:path";
import { anyOf, exactly, uncached } from "../../domain/search/lucene.js";
import type { Search } from "../../domain/search/search.js";
import { FILES } from "../../index/collections/configset.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import { searchParameters } from "../../index/query/parameters.js";
import { maxPermitMs } from "../../index/query/query-admission.js";
import { SolrCollection } from "../../index/transport/client.js";
import type { SolrHttp } from "../../index/transport/http.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { about, MAX_OTHERS } from "./against-dataset.js";
import { type Holder, mayShare, Suspects } from "./duplicates.js";
import { FIELDS, type IndexedFile, readEntry } from "./entry.js";
import type { Finding } from "./kinds.js";
import { readIndex } from "./read-index.js";

/** Fields whose equal values mark two files as the same. */
const KINDS = ["tracking_id", "checksum"] as const;
type Kind = (typeof KINDS)[number];

const BATCH = 100;
const MAX_ROWS = 10_000;

const textsOf = (entry: IndexedFile, kind: Kind): readonly string[] =>
  kind === "tracking_id" ? entry.tracking_id : [entry.checksum ?? ""].filter((text) => text !== "");

const JOINT = "\u0001";

const holderOf = ({ file, dataset_id, version, copy }: IndexedFile): Holder => ({
  dataset: dataset_id,
  name: basename(file),
  copy: `${version}${JOINT}${copy}`,
});

export class Duplicates {
  /** Files that were not looked up, because too many share their texts. */
  left = 0;
  readonly #suspects: Suspects;
  readonly #http: SolrHttp;
  readonly #search: Search;
  readonly #count: number;

  constructor(http: SolrHttp, search: Search, count: number) {
    this.#http = http;
    this.#search = search;
    this.#count = count * KINDS.length;
    this.#suspects = new Suspects(this.#count);
  }

  add(entry: IndexedFile): boolean {
    return give(entry, this.#suspects);
  }

  /** Call when all entries were added. */
  async *findings(): AsyncGenerator<Finding> {
    yield* this.#confirmed(this.#suspects);
    // Parts that do not fit into memory need another pass over the index.
    for (let part = 1; part < this.#suspects.parts; part++) {
      const suspects = new Suspects(this.#count, part);
      for await (const groups of readIndex(this.#http, this.#search)) {
        for (const { entries } of groups) for (const entry of entries) give(entry, suspects);
      }
      yield* this.#confirmed(suspects);
    }
  }

  async *#confirmed({ found, left }: Suspects): AsyncGenerator<Finding> {
    this.left += left;
    for (const kind of KINDS) {
      const prefix = kind + JOINT;
      const values = [...found].flatMap((text) =>
        text.startsWith(prefix) ? [text.slice(prefix.length)] : [],
      );
      for (const batch of batchesOf(values, BATCH)) {
        yield* this.#lookUp(kind, batch);
      }
    }
  }

  async *#lookUp(kind: Kind, values: readonly string[]): AsyncGenerator<Finding> {
    const http = this.#http;
    const filter = uncached(anyOf(values.map((value) => exactly(kind, value))));
    const part = { fl: FIELDS.join(","), rows: String(MAX_ROWS), sort: "file asc" };
    const filters = [...this.#search.filters, filter];
    const parameters = searchParameters({ ...this.#search, filters }, part);
    const collection = new SolrCollection(http, FILES);
    const { text } = await collection.select(parameters, { timeoutMs: maxPermitMs(http) });
    const { response } = JSON.parse(text) as {
      response: { readonly numFound: number; readonly docs: readonly SolrDocument[] };
    };
    if (response.numFound > MAX_ROWS && values.length > 1) {
      for (const value of values) yield* this.#lookUp(kind, [value]);
      return;
    }
    this.left += Math.max(0, response.numFound - MAX_ROWS);
    const entries = response.docs.map(readEntry);
    for (const value of values) {
      const all = entries.filter((entry) => textsOf(entry, kind).includes(value));
      const finding = conflict(kind, value, all);
      if (finding !== undefined) yield finding;
    }
  }
}

function give(entry: IndexedFile, suspects: Suspects): boolean {
  let any = false;
  const holder = holderOf(entry);
  for (const kind of KINDS) {
    for (const text of textsOf(entry, kind)) {
      any = true;
      suspects.add(kind + JOINT + text, holder);
    }
  }
  return any;
}

/** Undefined if all files may share the value. */
function conflict(kind: Kind, value: string, entries: readonly IndexedFile[]): Finding | undefined {
  const holders = entries.map((entry) => ({ entry, holder: holderOf(entry) }));
  const guilty = holders.filter(({ holder }) =>
    holders.some((other) => other.holder !== holder && !mayShare(holder, other.holder)),
  );
  const [first, ...others] = guilty.map(({ entry }) => entry);
  if (first === undefined || others.length === 0) return undefined;
  const whose = others.length === 1 ? "another file" : `${others.length} other files`;
  return {
    kind,
    ...about(first),
    detail: `has the ${kind} ${value}, as ${whose}`,
    others: others.slice(0, MAX_OTHERS).map(({ file }) => file),
  };
}
