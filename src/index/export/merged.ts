/** Merges the exports of all shards. */
import { DocumentBatch, type SolrDocument } from "./document-batch.js";
import { inOrder } from "./utf8-order.js";

/** Batches of documents, as they arrive. */
export type Batches = AsyncGenerator<DocumentBatch, void, undefined>;

/** An export, and what was read of it and is not delivered yet. */
interface Source {
  readonly rest: Batches;
  documents: readonly SolrDocument[];
  at: number;
}

const current = ({ documents, at }: Source): SolrDocument => documents[at] ?? {};

/** Reads the next documents of a source. @returns whether there are any */
async function advance(source: Source): Promise<boolean> {
  for (;;) {
    const { done, value } = await source.rest.next();
    if (done) return false;
    if (value.length === 0) continue;
    source.documents = value.documents;
    source.at = 0;
    return true;
  }
}

type Order = (a: SolrDocument, b: SolrDocument) => number;

/** @param sort Solr's parameter, such as `dataset_id asc,file asc` */
function orderOf(sort: string): Order {
  const keys = sort.split(",").map((key) => {
    const [field = "", direction] = key.split(" ");
    return { field, sign: direction === "desc" ? -1 : 1 };
  });
  return (a, b) => {
    for (const { field, sign } of keys) {
      const order = compared(a[field], b[field]);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

const compared = (a: unknown, b: unknown): number =>
  typeof a === "number" && typeof b === "number" ? a - b : inOrder(String(a), String(b));

/** Takes what comes first, until one of the sources has to be read on. */
function take(sources: Source[], order: Order) {
  const documents: SolrDocument[] = [];
  for (;;) {
    sources.sort((a, b) => order(current(a), current(b)));
    const [first, second] = sources as [Source, Source?];
    const limit = second === undefined ? undefined : current(second);
    do {
      documents.push(current(first));
      first.at += 1;
      if (first.at === first.documents.length) return { documents, empty: first };
    } while (limit === undefined || order(current(first), limit) <= 0);
  }
}

/**
 * The documents of several exports in one order.
 *
 * @param sort Solr's parameter by which each of them is sorted; every document has its fields
 */
export async function* merged(exports: readonly Batches[], sort: string): Batches {
  const all = exports.map((rest): Source => ({ rest, documents: [], at: 0 }));
  const order = orderOf(sort);
  try {
    const areLeft = await Promise.all(all.map(advance));
    let sources = all.filter((_, index) => areLeft[index]);
    while (sources.length > 0) {
      const { documents, empty } = take(sources, order);
      yield DocumentBatch.of(documents);
      if (!(await advance(empty))) sources = sources.filter((source) => source !== empty);
    }
  } finally {
    await Promise.allSettled(exports.map((one) => one.return()));
  }
}
