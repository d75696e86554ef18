/**
 * Answers whose body writes itself into the connection.
 *
 * The server leaves a place for such a body beside the request, and looks there afterwards. An answer that may still be
 * changed on its way (compressed) is an ordinary Response with an ordinary stream all the same, and written directly only
 * where it comes out as it was made. One that may not has no stream: to make one for each chunk, which nobody reads,
 * takes a twentieth of a chunk's time.
 */
import type { DirectBytes } from "./operation.js";

/** What the server leaves for the answer to one request. */
export interface DirectPlace {
  body?: DirectBytes;
  /** The answer with the body's stream, where it has one. */
  response?: Response;
}

/** A response with all bytes of a body. */
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

/** The body that is to write itself after this response's headers, if it has one. */
export function directBodyOf(response: Response, place: DirectPlace): DirectBytes | undefined {
  const { body } = place;
  if (body === undefined) return undefined;
  if (place.response !== undefined) return place.response === response ? body : undefined;
  // Another answer came in its place, as one that tells of a failure.
  if (response.ok && response.headers.get("Content-Length") === String(body.length)) return body;
  body.abandon?.();
  return undefined;
}
