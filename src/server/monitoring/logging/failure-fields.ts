/** The log fields of a failure: kind and message; for an unexpected one also the stack. */
import { DomainError } from "../../../platform/errors.js";

/** Domain errors that are faults of the service. */
const INTERNAL: ReadonlySet<string> = new Set(["search-refused", "internal-error"]);

/** Errors of Solr and V8 that quote queries or bodies, which are private. */
const QUOTING: ReadonlySet<string> = new Set([
  "search-refused",
  "search-unavailable",
  "search-timeout",
]);

const unquoted = (text: string): string => text.replace(/(['"]).*['"]/s, "$1...$1");

const mayQuote = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof DomainError && QUOTING.has(error.kind));

const MAX_CAUSES = 5;

function causeChain(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let next = error; next !== undefined && all.length <= MAX_CAUSES; ) {
    all.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return all;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export function failureOf(error: unknown): Readonly<Record<string, unknown>> {
  const all = causeChain(error);
  const shown = (text: string): string => (all.some(mayQuote) ? unquoted(text) : text);
  const message = shown(all.map(messageOf).join(": "));
  if (isExpected(error)) return { kind: error.kind, reason: message };
  // Only chosen fields: some errors carry private data of the request, such as its address.
  const { name: type, code } = (error ?? {}) as NodeJS.ErrnoException;
  return { err: { type, message, ...(code !== undefined && { code }), stack: stackOf(all) } };
}

/** The stack frames of all errors, without their messages. */
function stackOf(all: readonly unknown[]): string {
  const frames = (error: unknown): string =>
    ((error as Error)?.stack ?? "")
      .split("\n")
      .filter((line) => /^ {4}at /.test(line))
      .join("\n");
  return all.map(frames).join("\ncaused by\n");
}

/** Whether a failure has an outside cause, such as Solr, a damaged file or a disconnected client. */
export function isExpected(error: unknown): error is DomainError {
  return error instanceof DomainError && !INTERNAL.has(error.kind);
}

/** Errors that the runtime raises if a connection ends early. */
const ABORTS: ReadonlySet<unknown> = new Set([
  "ABORT_ERR",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_DESTROYED",
  "AbortError",
]);

/** Whether a failure only means that a connection, or its work, was aborted. */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ABORTS.has(error.name) || ABORTS.has((error as NodeJS.ErrnoException).code);
}
