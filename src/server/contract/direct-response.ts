/**
 * Answers whose body writes itself into the connection.
 *
 * A handler stores the body in a DirectPlace beside the request, and the server reads it from there. An answer that may
 * be compressed also has an ordinary stream, and is written directly only if it is unchanged. An answer with
 * `no-transform` has no stream: an unused stream costs 5% of a chunk's time.
 */
import type { DirectBytes } from "./operation.js";

/** Where a handler stores the direct body of one answer. */
export interface DirectPlace {
  body?: DirectBytes;
  /** The answer with the body's stream, if it has one. */
  response?: Response;
}

/** A response with a body that writes itself. */
export function directAnswer(
  body: DirectBytes,
  init: { status: number; headers: Headers },
  place: DirectPlace | undefined,
): Response {
  if (place === undefined) return new Response(body.stream(), init);
  place.body = body;
  if (init.headers.get("Cache-Control")?.includes("no-transform")) return new Response(null, init);
  place.response = new Response(body.stream(), init);
  return place.response;
}

/** The body to write after this response's headers, if it has one. */
export function directBodyOf(response: Response, place: DirectPlace): DirectBytes | undefined {
  const { body } = place;
  if (body === undefined) return undefined;
  if (place.response !== undefined) return place.response === response ? body : undefined;
  // Any other response replaced the answer, such as an error.
  if (response.ok && response.headers.get("Content-Length") === String(body.length)) return body;
  body.abandon?.();
  return undefined;
}
