/** What is logged of a failure: of one that is to be expected, its kind and its message; of any other, its stack too. */
import { DomainError } from "../../platform/errors.js";

/** Faults of this side, though they are in the words of the domain. */
const INTERNAL: ReadonlySet<string> = new Set(["search-refused", "internal-error"]);

/** What Solr says of a query, and V8 of JSON, quotes it: searches and bodies are nobody's business. */
const QUOTING: ReadonlySet<string> = new Set([
  ...["search-refused", "search-unavailable", "search-timeout"],
]);

const unquoted = (text: string): string => text.replace(/(['"]).*['"]/s, "$1...$1");

const mayQuote = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof DomainError && QUOTING.has(error.kind));

const MAX_CAUSES = 5;

/** An error and what caused it. */
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

/** The fields of a log line. */
export function failureOf(error: unknown): Readonly<Record<string, unknown>> {
  const all = causeChain(error);
  const shown = (text: string): string => (all.some(mayQuote) ? unquoted(text) : text);
  const message = shown(all.map(messageOf).join(": "));
  if (isExpected(error)) return { kind: error.kind, reason: message };
  // Not the error as it is: what some have beside their message is what was asked for, such as an address.
  const { name: type, code } = (error ?? {}) as NodeJS.ErrnoException;
  return { err: { type, message, ...(code !== undefined && { code }), stack: stackOf(all) } };
}

/** Where each was thrown; without the messages, which a stack begins with. */
function stackOf(all: readonly unknown[]): string {
  const frames = (error: unknown): string =>
    ((error as Error)?.stack ?? "")
      .split("\n")
      .filter((line) => /^ {4}at /.test(line))
      .join("\n");
  return all.map(frames).join("\ncaused by\n");
}

/** Whether a failure comes from outside: Solr is away, a file is damaged, somebody has left. */
export function isExpected(error: unknown): error is DomainError {
  return error instanceof DomainError && !INTERNAL.has(error.kind);
}

/** What the runtime raises where a connection ends before its time. */
const ABORTS: ReadonlySet<unknown> = new Set([
  ...["ABORT_ERR", "ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"],
  "AbortError",
]);

/** Whether a failure says no more than that a connection, or the work for it, was given up. */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ABORTS.has(error.name) || ABORTS.has((error as NodeJS.ErrnoException).code);
}
