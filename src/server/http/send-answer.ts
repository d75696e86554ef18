/** Sends an answer to its client: with the headers of every answer, compressed if that is accepted, without a body for HEAD. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, type DirectBytes, isDirect, varying } from "./answer.js";
import { accepts, gzippedBody, isCompressible, writeGzipped } from "./compress.js";
import type { StandingHeaders } from "./standing-headers.js";
import { endWith } from "./unread-answers.js";

/** The connection of a request, and the id that its answer names. */
interface Destination {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly id: string;
}

/** @throws the error of a body that writes itself, in the middle of the transfer; nothing if the client disconnects */
export async function sendAnswer(
  answer: Answer,
  { incoming: { method, headers: given }, outgoing, id }: Destination,
  standing: StandingHeaders,
): Promise<void> {
  const { status, body } = answer;
  const headers = standing.of(given.origin, answer.headers);
  // Not by `setHeader`: one header that is set alone makes node:http set all of them one by one.
  headers["X-Request-Id"] = id;
  if (body === undefined) {
    // A 304 has the Vary of the 200 (RFC 9110, 15.4.5).
    if (status === 304) headers.Vary = varying(headers.Vary, "Accept-Encoding");
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = lengthOf(body);
  if (length !== undefined) headers["Content-Length"] = String(length);
  const mayBeCompressed = isCompressible(answer, length);
  // Ranges of files are sent as they are to every client.
  if (mayBeCompressed || length === undefined || !isDirect(body))
    headers.Vary = varying(headers.Vary, "Accept-Encoding");
  const isHead = method === "HEAD";
  if (isHead || !mayBeCompressed || !accepts(given["accept-encoding"], "gzip")) {
    return write(body, isHead, outgoing.writeHead(status, headers));
  }
  headers["Content-Encoding"] = "gzip";
  // The tag of other bytes (RFC 9110, 8.8.3).
  if (headers.ETag?.startsWith('"')) headers.ETag = `W/${headers.ETag}`;
  if (isDirect(body)) {
    delete headers["Content-Length"];
    return writeGzipped(body, outgoing.writeHead(status, headers));
  }
  const bytes = await gzippedBody(answer);
  headers["Content-Length"] = String(bytes.byteLength);
  endWith(outgoing.writeHead(status, headers), bytes);
}

const lengthOf = (body: NonNullable<Answer["body"]>): number | undefined =>
  isDirect(body) ? body.length : Buffer.byteLength(body);

async function write(
  body: string | Uint8Array | DirectBytes,
  isHead: boolean,
  outgoing: ServerResponse,
): Promise<void> {
  if (isHead) {
    // Nobody reads it. Without this, its source would wait for ever.
    if (isDirect(body)) body.abandon?.();
    outgoing.end();
  } else if (isDirect(body)) {
    await body.writeTo(outgoing);
    outgoing.end();
  } else endWith(outgoing, body);
}
