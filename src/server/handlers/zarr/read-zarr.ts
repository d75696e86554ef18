/** Reads zarr streams: keys of data sets, and slices of their variables. */
import { invalidParameter } from "../../../domain/errors.js";
import { NoSuchData, UnknownKey } from "../../../files/errors.js";
import { idOf } from "../../../files/zarr/address.js";
import { type Dataset, isDocumentKey, type Value } from "../../../files/zarr/dataset/dataset.js";
import { readSlice } from "../../../files/zarr/slice/read-index.js";
import type { TimedClient } from "../../../files/zarr/worker/client.js";
import { SCRIPT_HEADERS } from "../../contract/caller.js";
import type { Request } from "../../contract/operation.js";
import type { DirectBytes } from "../../http/answer.js";
import { type BytePart, requestedPart } from "../../http/byte-range.js";
import { matches } from "../../http/entity-tag.js";
import { PRIVATE } from "../common/caching.js";
import { beginReading, beginSharedReading, bytesReply, type Reading } from "../files/reading.js";
import type { Handler, Services } from "../services.js";

/** Documents above this many bytes stay booked until the client has read them; smaller ones are compressed. */
const MAX_UNBOOKED_TEXT = 1 << 18;

/** Chunks are large and change only with the file; clients learn of a change from the documents. */
const CHUNK_CACHING = { "Cache-Control": "private, max-age=86400, no-transform" };

type ReadRequest = Pick<Request<"readZarr">, "path" | "headers" | "caller" | "context">;

const lengthOf = (content: Value): number => {
  if (content.kind === "range") return content.range.length;
  return content.kind === "bytes" ? content.data.byteLength : Buffer.byteLength(content.text);
};

/** Answers a key of a data set that the caller may read. `isConfirmed`: as in ZarrAccess.read. */
async function answer(
  request: ReadRequest,
  dataset: Dataset,
  { datasets }: Services,
  { by, isConfirmed }: { readonly by: TimedClient; readonly isConfirmed: boolean },
) {
  const { key } = request.path;
  const isDocument = isDocumentKey(key);
  const standing = isDocument ? { ...PRIVATE, Vary: SCRIPT_HEADERS } : CHUNK_CACHING;
  // A tag is a digest: it is computed before the content only if the client sent one.
  const known = request.headers["If-None-Match"] === undefined ? undefined : dataset.tag?.(key);
  if (known !== undefined && matches(request.headers["If-None-Match"], `"${known}"`)) {
    return { status: 304, headers: { ...standing, ETag: `"${known}"` } } as const;
  }
  // Python's readers need a bare NaN: as a string it would be another value. Scripts need strict JSON.
  const isStrict = isDocument && request.caller.isScript;
  const found = await dataset.content(key, by);
  const content = isStrict ? await datasets.strict(found, by) : found;
  if (content.kind === "unknown-key") {
    throw new UnknownKey("This is no document, and no chunk of an array that the metadata know.");
  }
  if (content.kind === "absent") {
    const isChunk = content.reason === "unwritten-chunk";
    throw new NoSuchData(isChunk ? "This chunk was never written." : "There is no such document.");
  }
  const tag = `"${content.tag}"`;
  const headers = { ...standing, ETag: tag, "Accept-Ranges": "bytes" };
  if (matches(request.headers["If-None-Match"], tag)) return { status: 304, headers } as const;
  const length = lengthOf(content);
  const part = requestedPart(request.headers, tag, length);
  const { from, count } = part ?? { from: 0, count: length };
  const type = "application/json";
  if (content.kind === "document" && part === undefined && length <= MAX_UNBOOKED_TEXT) {
    return { status: 200, type, headers, body: { text: content.text } } as const;
  }
  if (!isDocument) request.context.chunk = content.kind === "range" ? "passed" : "decoded";
  const body = await bodyOf(content, datasets, { from, count, isConfirmed });
  if (content.kind === "document" && part === undefined) {
    return { status: 200, type, headers, body } as const;
  }
  return bytesReply(part, length, headers, body);
}

function bodyOf(
  content: Value,
  datasets: Services["datasets"],
  { from, count, isConfirmed }: BytePart & { readonly isConfirmed: boolean },
): Promise<DirectBytes> {
  if (content.kind === "range") return datasets.body(content.range, from, count, isConfirmed);
  if (content.kind === "bytes") return datasets.bytesBody(content.data, from, count);
  return datasets.textBody(content.text, from, count);
}

/** Reads a key of a zarr stream with a token. */
export const readZarr: Handler<"readZarr"> = async (request, services) =>
  read(request, await beginReading(idOf(request.path.store), request, services), services);

/** Reads a key of a zarr stream with the ticket of a share. */
export const readSharedZarr: Handler<"readSharedZarr"> = async (request, services) =>
  read(request, await beginSharedReading(request.path, request, services), services);

const read = (request: ReadRequest, { reader, client: by }: Reading, services: Services) =>
  services.access.read(request.path.store, reader, request.caller, (dataset, isConfirmed) =>
    answer(request, dataset, services, { by, isConfirmed }),
  );

/** Returns a slice of a variable, decoded and sampled by the service. */
export const previewData: Handler<"previewData"> = async (request, services) => {
  const { store, variable } = request.path;
  const { reader, client: by } = await beginReading(idOf(store), request, services);
  return services.access.read(store, reader, request.caller, async (dataset) => {
    const array = await dataset.array(variable, by);
    if (array === undefined) throw new NoSuchData("These data have no variable of this name.");
    if (!array.hasNumbers) {
      const reason = "has no numbers, but texts or structures";
      throw invalidParameter("variable", reason, "path");
    }
    const selection = readSlice(request.query, array.shape);
    const given = request.headers["If-None-Match"];
    const headersOf = (tag: string) => ({ ...PRIVATE, ETag: `"${tag}"` });
    const known = given === undefined ? undefined : dataset.sliceTag?.(variable, selection);
    if (known !== undefined && matches(given, `"${known}"`)) {
      return { status: 304, headers: headersOf(known) } as const;
    }
    const { data, tag } = await dataset.slice(variable, selection, by, request.caller.signal);
    const headers = headersOf(tag);
    if (matches(given, headers.ETag)) return { status: 304, headers } as const;
    request.context.chunk = "decoded";
    const body = await services.datasets.bytesBody(data);
    return { status: 200, type: "application/octet-stream", headers, body } as const;
  });
};
