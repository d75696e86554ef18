import type { DocumentBatches } from "../../../index/export/export.js";

/** Documents -> the addresses of their zarr streams, one a line. @param stream the address of a file's */
export async function* zarrList(
  batches: DocumentBatches,
  stream: (file: string) => string,
): AsyncGenerator<string> {
  for await (const documents of batches) {
    yield documents.map(({ file }) => `${stream(String(file))}\n`).join("");
  }
}
