/** Estimates the sizes of a search's lists from a sample of its documents. */
import type { components } from "../../../../generated/openapi.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { CatalogueSource } from "../catalogue.js";
import { intakeCatalogue, intakeFields } from "../intake.js";
import { pathList } from "../path-list.js";
import { stacArchive, stacFields } from "../stac/archive.js";
import { zip } from "../streams/zip.js";

export const sampleFields = (source: CatalogueSource): string[] => [
  ...new Set([...intakeFields(source), ...stacFields(source)]),
];

/** In bytes. */
export type Sizes = components["schemas"]["Summary"]["estimated_bytes"];

type Pieces = AsyncIterable<string | Uint8Array>;

async function lengthOf(pieces: Pieces): Promise<number> {
  let length = 0;
  for await (const piece of pieces) {
    length += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
  }
  return length;
}

/** The field with the random score of a sampled document: a higher score selects a smaller share of all documents. */
export const SCORE = "score";

/**
 * The fair part of a sample. The sample may contain only some documents of the lowest score, those that are first in the
 * index; they are dropped.
 */
function randomDocuments(sample: readonly SolrDocument[], files: number): readonly SolrDocument[] {
  if (sample.length >= files) return sample;
  const lowest = Math.min(...sample.map((document) => Number(document[SCORE])));
  const chosen = sample.filter((document) => Number(document[SCORE]) > lowest);
  return chosen.length > 0 ? chosen : sample;
}

/** One of this many documents is archived for the estimate: compression is slow, and archived items differ little. */
const ARCHIVED = 4;

/** @param sample documents of the search; all of them if they are few */
export async function estimatedSizes(
  sample: readonly SolrDocument[],
  files: number,
  source: CatalogueSource,
): Promise<Sizes> {
  if (sample.length === 0) return { path_list: 0, intake_catalogue: 0, stac_archive: 0 };
  const chosen = randomDocuments(sample, files);
  const archived = chosen.filter((_, index) => index % ARCHIVED === 0);
  const now = new Date(0);
  return {
    path_list: await estimatedLength(chosen, files, (batches) => pathList(batches, source.key)),
    intake_catalogue: await estimatedLength(chosen, files, (batches) =>
      intakeCatalogue(batches, source, now),
    ),
    stac_archive: await estimatedLength(archived, files, (batches) =>
      zip(stacArchive(batches, source)),
    ),
  };
}

async function* oneBatch(documents: readonly SolrDocument[]) {
  yield documents;
}

/** The estimated length of a list with a number of entries, from a sample of them. */
async function estimatedLength(
  some: readonly SolrDocument[],
  files: number,
  list: (batches: DocumentBatches) => Pieces,
): Promise<number> {
  // The part beside the entries has a constant length.
  const [none, all] = [await lengthOf(list(oneBatch([]))), await lengthOf(list(oneBatch(some)))];
  return Math.round(none + ((all - none) / some.length) * files);
}
