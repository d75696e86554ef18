/** An answer as a plain value: what handlers and refusals make, and the server sends. */
import type { Writable } from "node:stream";

/** Bytes that write themselves into the connection, because web streams would copy them. */
export interface DirectBytes {
  /** In bytes; undefined if it is not known before the end. */
  readonly length: number | undefined;
  /** Writes all bytes, once; the caller ends the destination. */
  writeTo(out: Writable): Promise<void>;
  /** Called if the bytes will not be read. */
  abandon?(): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. */
  readonly body?: string | Uint8Array | DirectBytes | undefined;
  /** The compressed body, if it is kept for the next client. */
  readonly gzipped?: () => Promise<Uint8Array>;
}

/** Whether a body writes itself. */
export function isDirect(body: unknown): body is DirectBytes {
  const { writeTo } = (body ?? {}) as { writeTo?: unknown };
  return typeof writeTo === "function";
}

/** Adds a value to the header `Vary`. */
export const varying = (given: string | undefined, by: string): string =>
  given === undefined ? by : `${given}, ${by}`;
