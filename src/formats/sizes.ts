/** How long the lists of a search would be, by a sample of what it finds. */
import type { SolrDocument } from "../solr/export.js";
import type { CatalogueSource } from "./catalogue.js";
import { intakeCatalogue, intakeFields } from "./intake.js";
import { stacArchive, stacFields } from "./stac/archive.js";
import { zip } from "./zip.js";

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

async function* batch(documents: readonly SolrDocument[]) {
  yield documents;
}

async function lengthOf(pieces: AsyncIterable<string | Uint8Array>): Promise<number> {
  let length = 0;
  for await (const piece of pieces) {
    length += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
  }
  return length;
}

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
  // The first one alone tells what there is beside entries.
  const grown = async (make: (documents: readonly SolrDocument[]) => Promise<number>) => {
    const [one, all] = [await make(sample.slice(0, 1)), await make(sample)];
    const entry = sample.length > 1 ? (all - one) / (sample.length - 1) : 0;
    return Math.round(all + entry * (files - sample.length));
  };
  const now = new Date(0);
  return {
    pathList: await grown(async (documents) =>
      documents
        .map((document) => Buffer.byteLength(String(document[source.key])) + 1)
        .reduce((sum, length) => sum + length, 0),
    ),
    intakeCatalogue: await grown((documents) =>
      lengthOf(intakeCatalogue(batch(documents), source, now)),
    ),
    stacArchive: await grown((documents) => lengthOf(zip(stacArchive(batch(documents), source)))),
  };
}
