/** Removes files that the caller may not read on disk from lists (FILE_RIGHTS=posix-hide). */
import type { Owner } from "../../domain/user-data/owner.js";
import type { FileRights } from "../../files/rights/file-rights.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import type { DocumentBatches } from "../../index/export/export.js";
import { localPath } from "./local-path.js";

/** Documents that are checked together: few before the first is sent, more later. */
const MIN_TOGETHER = 250;
const MAX_TOGETHER = 4000;

/** The fields of a list's documents, and those with their location if visibility depends on it. */
export const visibilityFields = (
  fields: readonly string[],
  rights: FileRights | undefined,
): readonly string[] => (rights?.hides ? [...new Set([...fields, "file", "uri"])] : fields);

/** The documents of a list that the caller may see. @param by undefined for an anonymous caller, who has the rights of others */
export function visibleBatches(
  batches: DocumentBatches,
  by: Owner | undefined,
  rights: FileRights | undefined,
): DocumentBatches {
  return rights?.hides ? readable(batches, by, rights) : batches;
}

/** The documents, of some, that the caller may see. */
export async function visibleAmong<D extends Readonly<Record<string, unknown>>>(
  documents: readonly D[],
  by: Owner | undefined,
  rights: FileRights,
): Promise<readonly D[]> {
  const areVisible = await rights.visible(by, documents.map(localPath));
  return documents.filter((_, index) => areVisible[index]);
}

async function* readable(
  batches: DocumentBatches,
  by: Owner | undefined,
  rights: FileRights,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  let gathered: SolrDocument[] = [];
  let enough = MIN_TOGETHER;
  for await (const documents of batches) {
    gathered.push(...documents);
    if (gathered.length < enough) continue;
    const kept = await visibleAmong(gathered, by, rights);
    gathered = [];
    enough = MAX_TOGETHER;
    if (kept.length > 0) yield kept;
  }
  const last = await visibleAmong(gathered, by, rights);
  if (last.length > 0) yield last;
}

/** The same batches, read up to the first that is not empty; undefined if all are empty. */
export async function nonEmpty(batches: DocumentBatches): Promise<DocumentBatches | undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return undefined;
  return {
    [Symbol.asyncIterator]: async function* () {
      try {
        yield first.value;
        yield* { [Symbol.asyncIterator]: () => iterator };
      } finally {
        await iterator.return?.();
      }
    },
  };
}
