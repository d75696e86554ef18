/** Errors as application/problem+json (RFC 9457). */
import type { z } from "@hono/zod-openapi";
import { OPERATIONS, type OperationName } from "../../../generated/operations.js";
import type { ParameterError, Problem } from "../../../generated/schemas.js";
import {
  InvalidParameters,
  MAX_ISSUES,
  NothingFound,
  type ParameterIssue,
} from "../../domain/errors.js";
import { RangeNotSatisfiable } from "../../files/errors.js";
import { OauthProblem } from "../../identity/errors.js";
import { TooComplexSearch } from "../../index/errors.js";
import { DomainError, RetryLater } from "../../platform/errors.js";
import { BodyTooLarge, InvalidRequest, MethodNotAllowed, TooManyRequests } from "../errors.js";
import type { Answer } from "../http/answer.js";
import { httpTraits } from "./error-table.js";
import { unknownValuesHeader } from "./structured-field.js";

const TYPE_PREFIX = "urn:climate-nextgen:problem:";

/**
 * The error of an invalid request as its operation declares it (`x-invalid-status` in openapi.yaml): 400 for those of STAC, whose
 * standard says so; 422 for all others.
 */
export function declaredError(error: unknown, operation: OperationName | undefined): unknown {
  if (operation === undefined || OPERATIONS[operation].invalid === undefined) return error;
  if (error instanceof InvalidParameters) return new InvalidRequest(error.message, error.issues);
  return error instanceof TooComplexSearch ? new InvalidRequest(error.message) : error;
}

/** An issue as the contract has it. `in` is the former name of `location`, which clients may still read. */
const parameterError = ({ name, in: location, reason }: ParameterIssue): ParameterError => ({
  name,
  location,
  in: location,
  reason,
});

/** The answer to an error. An error of no known kind is internal and shows no details. */
export function problemAnswer(error: unknown): Answer & { readonly body: string } {
  const known = error instanceof DomainError ? error : undefined;
  const kind = known?.kind ?? "internal-error";
  const { status, title, detail, retryAfter } = httpTraits(kind);
  const pause = known instanceof RetryLater ? known.retryAfter : retryAfter;
  const problem: Problem = {
    type: TYPE_PREFIX + kind,
    title,
    status,
    detail: detail ?? known?.message ?? title,
  };
  if (known instanceof InvalidParameters || known instanceof InvalidRequest) {
    problem.errors = known.issues.slice(0, MAX_ISSUES).map(parameterError);
  }
  if (known instanceof OauthProblem && known.code !== undefined) {
    problem.error = known.code;
    problem.error_description = problem.detail;
  }
  const body = JSON.stringify(problem);
  const headers: Record<string, string> = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
  if (pause !== undefined) headers["Retry-After"] = String(pause);
  if (known instanceof TooManyRequests) {
    headers["RateLimit-Policy"] = known.usedUp.policy;
    headers.RateLimit = known.usedUp.limit;
  }
  if (known instanceof RangeNotSatisfiable) headers["Content-Range"] = `bytes */${known.length}`;
  if (known instanceof NothingFound) {
    Object.assign(headers, unknownValuesHeader(known.unknownValues));
  }
  // The rest of the body stays unread, so the connection cannot be reused (RFC 9110, 15.5.14).
  if (known instanceof BodyTooLarge) headers.Connection = "close";
  if (known instanceof MethodNotAllowed) headers.Allow = known.allowed.join(", ");
  if (known instanceof OauthProblem && status === 401) {
    headers["WWW-Authenticate"] = challenge(known);
  }
  return { status, headers, body };
}

/** The WWW-Authenticate header of a 401 (RFC 6750, 3; for Basic, RFC 7617, 2). */
function challenge({ scheme, code, message }: OauthProblem): string {
  const realm = `${scheme} realm="climate-nextgen"`;
  if (scheme === "Basic") return `${realm}, charset="UTF-8"`;
  if (code === undefined) return realm;
  return `${realm}, error="${code}", error_description="${message.replaceAll(/["\\]/g, "'")}"`;
}

const LOCATIONS: Record<string, ParameterIssue["in"]> = {
  query: "query",
  param: "path",
  header: "header",
};

/** A validator's issues as issues of parameters. */
export function invalidParameters(
  issues: readonly z.core.$ZodIssue[],
  target: string,
): InvalidParameters {
  const location = LOCATIONS[target] ?? "body";
  return new InvalidParameters(
    issues.map(innermost).map((issue) => ({
      name: nameOf(issue.path) || location,
      in: location,
      reason: reasonOf(issue),
    })),
  );
}

/** Validates a part of a request. @returns the decoded value */
export function validated<S extends z.ZodType>(
  schema: S,
  value: unknown,
  target: string,
): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidParameters(result.error.issues, target);
  return result.data;
}

/** The issue inside the closest of several alternatives. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const inside = issue.errors.flat().find(({ path }) => path.length > 0);
  return inside === undefined ? issue : { ...inside, path: [...issue.path, ...inside.path] };
}

/** The location in a body, such as `user_metadata[3].time`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

/** What a bound counts; numbers are compared themselves. */
const UNITS: Readonly<Record<string, string>> = {
  array: "entries",
  object: "members",
  string: "characters",
};

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_type":
      // Only the message distinguishes a missing value from one of another type.
      return issue.message.endsWith("received undefined")
        ? "is required"
        : `must be of the type ${issue.expected === "int" ? "integer" : issue.expected}`;
    case "invalid_union": {
      const reasons = new Set(issue.errors.flat().map(reasonOf));
      return [...reasons].join(" or ").replaceAll("or must be of the type ", "or ");
    }
    case "unrecognized_keys":
      return `has unknown keys: ${issue.keys.join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "must not be empty"
        : `must be at least ${issue.minimum}`;
    case "too_big": {
      const unit = UNITS[issue.origin];
      return unit === undefined
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum} ${unit}`;
    }
    default:
      return issue.message;
  }
}
