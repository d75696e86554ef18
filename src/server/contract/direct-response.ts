/**
 * Answers that go to node's response as they are. Most answers are text or bytes that nothing on the way changes: a
 * `Response` with its `Headers`, made and taken apart again, would cost as much as the rest of a small request.
 *
 * A handler's answer waits in an AnswerPlace beside the request, and the server takes it from there. An answer that may be
 * compressed is an ordinary Response; if its body writes itself, it is written directly unless it was compressed.
 */
import { validateHeaderValue } from "node:http";
import type { Context } from "hono";
import { type DirectBytes, isDirect } from "./operation.js";

/** An answer without a Response. */
export interface ReadyAnswer {
  readonly status: number;
  headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | DirectBytes | undefined;
}

/** Holds the answer to one request for the server. */
export interface AnswerPlace {
  ready?: ReadyAnswer;
  /** A body that writes itself, and the Response that streams it. */
  direct?: { readonly body: DirectBytes; readonly response: Response };
}

/** Goes through the framework for every answer that is ready. */
const READY = new Response(null);

/** The place of a request that comes from the server; tests without one have none. */
export const placeOf = ({ env }: Context): AnswerPlace | undefined =>
  (env as { readonly place?: AnswerPlace } | undefined)?.place;

/** Leaves an answer in its place. @throws TypeError for a header that HTTP does not allow, which is the service's own fault */
export function answerReady(place: AnswerPlace, ready: ReadyAnswer): Response {
  for (const name in ready.headers) validateHeaderValue(name, ready.headers[name] ?? "");
  place.ready = ready;
  return READY;
}

/** The answer of a request that is ready, unless another one came in its place, such as an error. */
export function readyAnswer(
  response: Response,
  place: AnswerPlace | undefined,
): ReadyAnswer | undefined {
  return response === READY ? place?.ready : undefined;
}

/** A Response whose body writes itself, unless it is compressed on the way. */
export function directAnswer(
  body: DirectBytes,
  init: ResponseInit,
  place: AnswerPlace | undefined,
): Response {
  const response = new Response(body.stream(), init);
  if (place !== undefined) place.direct = { body, response };
  return response;
}

/** The body to write after this response's headers, if it has one. Ends the body of an answer that another one replaced. */
export function directBodyOf(response: Response, place: AnswerPlace): DirectBytes | undefined {
  const { ready, direct } = place;
  if (ready !== undefined && response !== READY && isDirect(ready.body)) ready.body.abandon?.();
  return direct?.response === response ? direct.body : undefined;
}
