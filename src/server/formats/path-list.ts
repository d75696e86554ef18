import type { SolrDocument } from "../../index/export/document-batch.js";
import type { DocumentBatches } from "../../index/export/export.js";

/** A location on one line: CR and LF are percent-encoded. */
function line(location: string): string {
  return `${location.replace(/[\r\n]/g, encodeURIComponent)}\n`;
}

/** Lists the locations of documents, one per line. */
export async function* pathList(
  batches: DocumentBatches,
  key: "file" | "uri",
): AsyncGenerator<string | Uint8Array> {
  const linesOf = (documents: readonly SolrDocument[]): string =>
    documents.map((document) => line(String(document[key]))).join("");
  const { unparsed } = batches;
  if (unparsed === undefined) {
    for await (const documents of batches) yield linesOf(documents);
  } else {
    for await (const batch of unparsed) yield batch.lines ?? linesOf(batch.documents);
  }
}
