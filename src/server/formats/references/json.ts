/** References as JSON, in version 1 of kerchunk's form (fsspec, "ReferenceFileSystem"). */
import { consolidated } from "../../../files/zarr/metadata/documents.js";
import { joinKey } from "../../../files/zarr/metadata/keys.js";
import { chunkKey, type ReferencePlan } from "../../../files/zarr/references/plan.js";
import { type Reference, referencesOf } from "../../../files/zarr/references/references.js";
import type { ReadingClient } from "../../../files/zarr/worker/client.js";

/** Bytes of a chunk are always in base64, as a text would lose them. */
function referenceText(reference: Exclude<Reference, undefined>): string {
  if (reference instanceof Uint8Array) {
    return JSON.stringify(`base64:${Buffer.from(reference).toString("base64")}`);
  }
  const { path, offset, length } = reference;
  return JSON.stringify([path, offset, length]);
}

export async function* jsonReferences(
  plan: ReferencePlan,
  client: ReadingClient | undefined,
): AsyncGenerator<string, void, undefined> {
  const { documents, arrays } = plan;
  const root = JSON.stringify(consolidated(documents, ""));
  yield `{"version":1,"refs":{\n".zmetadata":${root}`;
  const below = [...plan.consolidated].map(([group, text]) => [joinKey(group, ".zmetadata"), text]);
  for (const [key, text] of [...documents, ...below])
    yield `,\n${JSON.stringify(key)}:${JSON.stringify(text)}`;
  for (const array of arrays) {
    let number = 0;
    for await (const batch of referencesOf(plan, array, client)) {
      let piece = "";
      for (const reference of batch) {
        const key = JSON.stringify(chunkKey(array, number));
        if (reference !== undefined) piece += `,\n${key}:${referenceText(reference)}`;
        number += 1;
      }
      yield piece;
    }
  }
  yield "\n}}\n";
}
