/**
 * Answers whose body writes itself into the connection.
 *
 * Each is an ordinary Response with an ordinary stream, and right as such; where the server finds it as it was made,
 * it lets the body write itself instead.
 */
import type { DirectBytes } from "./operation.js";

const bodies = new WeakMap<Response, DirectBytes>();

/** A response with all bytes of a body. */
export function directAnswer(body: DirectBytes, init: { status: number; headers: Headers }) {
  const response = new Response(body.stream(), init);
  bodies.set(response, body);
  return response;
}

/** The body that may write itself, if a response has one. */
export function directBodyOf(response: Response): DirectBytes | undefined {
  return bodies.get(response);
}
