/** Errors as application/problem+json (RFC 9457). */
import type { z } from "@hono/zod-openapi";
import type { Problem } from "../../generated/schemas.js";
import {
  DomainError,
  type ErrorKind,
  HTTP,
  InvalidParameters,
  MethodNotAllowed,
  type ParameterIssue,
} from "../errors.js";

const TYPE_PREFIX = "urn:climate-nextgen:problem:";

/** The answer to an error; what is not a domain error is an internal one and shows nothing. */
export function problemResponse(error: unknown): Response {
  const known = error instanceof DomainError ? error : undefined;
  const kind: ErrorKind = known?.kind ?? "internal-error";
  const { status, title, detail, retryAfter } = HTTP[kind];
  const problem: Problem = {
    type: TYPE_PREFIX + kind,
    title,
    status,
    detail: detail ?? known?.message ?? title,
  };
  if (known instanceof InvalidParameters) problem.errors = [...known.issues];
  const body = JSON.stringify(problem);
  const headers = new Headers({
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  });
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  if (known instanceof MethodNotAllowed) headers.set("Allow", known.allowed.join(", "));
  return new Response(body, { status, headers });
}

const PLACES: Record<string, ParameterIssue["in"]> = {
  query: "query",
  param: "path",
  header: "header",
};

/** What a validator found, bound to the parameters. */
export function invalidParameters(error: z.ZodError, target: string): InvalidParameters {
  const place = PLACES[target] ?? "body";
  return new InvalidParameters(
    error.issues.map((issue) => ({
      name: issue.path.map(String).join(".") || place,
      in: place,
      reason: reasonOf(issue),
    })),
  );
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "must not be empty"
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}
