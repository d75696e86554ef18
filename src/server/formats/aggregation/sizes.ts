/** How long the lists of a search would be, by a sample of what it finds. */
import type { DocumentBatches, SolrDocument } from "../../../index/export/export.js";
import type { CatalogueSource } from "../catalogue.js";
import { intakeCatalogue, intakeFields } from "../intake.js";
import { pathList } from "../path-list.js";
import { stacArchive, stacFields } from "../stac/archive.js";
import { oneBatch } from "../streams/one-batch.js";
import { zip } from "../streams/zip.js";

/** The fields that a sample must have. */
export const sampleFields = (source: CatalogueSource): string[] => [
  ...new Set([...intakeFields(source), ...stacFields(source)]),
];

/** Bytes. */
export interface Sizes {
  readonly pathList: number;
  readonly intakeCatalogue: number;
  readonly stacArchive: number;
}

type Pieces = AsyncIterable<string | Uint8Array>;

async function lengthOf(pieces: Pieces): Promise<number> {
  let length = 0;
  for await (const piece of pieces) {
    length += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
  }
  return length;
}

/** The field of a sample's document that tells of how small a share of all documents it is, the larger the smaller. */
export const SCORE = "score";

/**
 * The documents that were chosen by chance. Of the share with the lowest score only some may be among the sample, those that lie
 * first in the index, which are no fair sample of it.
 */
function randomDocuments(sample: readonly SolrDocument[], files: number): readonly SolrDocument[] {
  if (sample.length >= files) return sample;
  const lowest = Math.min(...sample.map((document) => Number(document[SCORE])));
  const chosen = sample.filter((document) => Number(document[SCORE]) > lowest);
  return chosen.length > 0 ? chosen : sample;
}

/** Of so many documents one is put into an archive: compressing them takes longest, and they differ least. */
const ARCHIVED = 4;

/**
 * @param sample of what is found, by which the rest is judged; all of it, where that is little
 * @param files how many documents are found
 */
export async function estimatedSizes(
  sample: readonly SolrDocument[],
  files: number,
  source: CatalogueSource,
): Promise<Sizes> {
  if (sample.length === 0) return { pathList: 0, intakeCatalogue: 0, stacArchive: 0 };
  const chosen = randomDocuments(sample, files);
  const archived = chosen.filter((_, index) => index % ARCHIVED === 0);
  const now = new Date(0);
  return {
    pathList: await estimatedLength(chosen, files, (batches) => pathList(batches, source.key)),
    intakeCatalogue: await estimatedLength(chosen, files, (batches) =>
      intakeCatalogue(batches, source, now),
    ),
    stacArchive: await estimatedLength(archived, files, (batches) =>
      zip(stacArchive(batches, source)),
    ),
  };
}

/** How long a list grows with so many entries, by some of them. */
async function estimatedLength(
  some: readonly SolrDocument[],
  files: number,
  list: (batches: DocumentBatches) => Pieces,
): Promise<number> {
  // What there is beside entries grows with none of them.
  const [none, all] = [await lengthOf(list(oneBatch([]))), await lengthOf(list(oneBatch(some)))];
  return Math.round(none + ((all - none) / some.length) * files);
}
