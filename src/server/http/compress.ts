/** Compresses answers with gzip for clients that accept it (RFC 9110, 12.5.3). */
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { createGzip, gzip, type ZlibOptions } from "node:zlib";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { weightsIn } from "./accepted.js";
import type { Answer, DirectBytes } from "./answer.js";
import { writePieces } from "./write-pieces.js";

/** Below this many bytes nothing is compressed. */
const MIN_COMPRESSED = 1024;
/** Three times as fast as zlib's default, and not much larger. */
const OPTIONS = { level: 3 };

const gzipText = promisify<string | Uint8Array, ZlibOptions, Buffer>(gzip);
const compressed = (body: string | Uint8Array): Promise<Uint8Array> => gzipText(body, OPTIONS);

/** An answer that compresses its text once, however often it is sent. */
export function withKeptGzip(answer: Answer & { readonly body: string | Uint8Array }): Answer {
  let kept: Promise<Uint8Array> | undefined;
  const gzipped = (): Promise<Uint8Array> => {
    kept ??= compressed(answer.body);
    return kept;
  };
  return { ...answer, gzipped };
}

export const gzippedBody = async ({ body, gzipped }: Answer): Promise<Uint8Array> =>
  gzipped === undefined ? compressed(body as string | Uint8Array) : gzipped();

/** @param length in bytes, if it is known */
export function isCompressible({ status, headers }: Answer, length: number | undefined): boolean {
  return (
    status !== 206 &&
    (length === undefined || length >= MIN_COMPRESSED) &&
    headers["Content-Encoding"] === undefined &&
    COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers["Content-Type"] ?? "") &&
    headers["Cache-Control"]?.includes("no-transform") !== true
  );
}

/** Whether an `Accept-Encoding` header names a coding, or all, with a weight above 0. */
export function accepts(header: string | undefined, coding: string): boolean {
  const weights = weightsIn(header);
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}

/** Writes a body compressed, and ends the response. @throws the body's error, as writePieces */
export async function writeGzipped(body: DirectBytes, outgoing: ServerResponse): Promise<void> {
  const zip = createGzip(OPTIONS);
  const sent = writePieces(zip[Symbol.asyncIterator](), outgoing, 1, 1);
  body.writeTo(zip).then(
    () => zip.end(),
    (error: unknown) => zip.destroy(error as Error),
  );
  await sent;
}
