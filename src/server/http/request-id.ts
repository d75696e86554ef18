/** By what people and tools find one request again in several logs. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What may stand in a log as it came: short, and of letters that mean nothing anywhere. */
const HARMLESS = /^[\w.:-]{1,128}$/;
/** W3C Trace Context, 3.2: version, trace-id, parent-id, flags; a later version may add to it. */
const TRACE_PARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/;

/** The caller's `X-Request-Id`, where it is harmless; else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  if (typeof given === "string" && HARMLESS.test(given)) return given;
  return randomBytes(12).toString("base64url");
}

/** The trace that the request is a part of, by its `traceparent`. */
export function traceOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === "string" ? TRACE_PARENT.exec(traceparent)?.[1] : undefined;
}
