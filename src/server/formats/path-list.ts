import type { DocumentBatches } from "../../index/export/export.js";

/** A location on one line: CR and LF are percent-encoded. */
function line(location: string): string {
  return `${location.replace(/[\r\n]/g, encodeURIComponent)}\n`;
}

/** Lists the locations of documents, one per line. */
export async function* pathList(
  batches: DocumentBatches,
  key: "file" | "uri",
): AsyncGenerator<string> {
  for await (const documents of batches) {
    let text = "";
    for (const document of documents) text += line(String(document[key]));
    yield text;
  }
}
