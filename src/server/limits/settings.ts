import type { LimitName, UsedUpLimit } from "../request-context.js";

/** What one caller may have of the service; what is left out has no limit. */
export interface LimitSettings {
  /** Requests a second, over some seconds. */
  readonly requests?: number;
  /** Lists, catalogues and keys of zarr streams that are on their way at the same time. */
  readonly streams?: number;
  /** Bytes a day (UTC). */
  readonly bytes?: number;
  /** Seconds a day that processes read and decode. */
  readonly decode?: number;
}

/** Seconds of requests that may come at once. */
export const BURST = 5;
/** Milliseconds that a request waits for its turn, a stream for another's end, and a reading for what was decoded before. */
export const PATIENCE = { request: 5000, stream: 30_000, reading: 10_000 } as const;
/** Streams that wait, for each one that may be on its way. */
export const MAX_WAITING = 8;
/** So many times what a day has, a caller gets nothing until the next one. */
export const REFUSED_FROM = 2;
/** Bytes a second of a stream, however slow: clients give up where nothing comes. */
export const MIN_PACE = 1 << 16;

/** Milliseconds. */
export const DAY = 86_400_000;

/** Milliseconds; the first for what lasts, the second for what day it is. */
export interface Clock {
  readonly monotonic: () => number;
  readonly date: () => number;
}

/** What all accounts of a process have in common. */
export interface Rules extends LimitSettings {
  readonly clock: Clock;
  /** The limits as the field RateLimit-Policy tells them. */
  readonly policy: string;
}

/** As draft-ietf-httpapi-ratelimit-headers-10 has it, 3; `decode-seconds` is a unit of this service. */
export function policyOf({ requests, streams, bytes, decode }: LimitSettings): string {
  const day = `w=${DAY / 1000}`;
  return [
    requests === undefined ? [] : `"requests";q=${Math.ceil(requests * BURST)};w=${BURST}`,
    streams === undefined ? [] : `"streams";q=${streams};qu="concurrent-requests"`,
    bytes === undefined ? [] : `"bytes";q=${Math.floor(bytes)};qu="content-bytes";${day}`,
    decode === undefined ? [] : `"decode";q=${Math.ceil(decode)};qu="decode-seconds";${day}`,
  ]
    .flat()
    .join(", ");
}

/** The same draft, 4. @param seconds until there is more */
export const usedUp = (name: LimitName, seconds: number): UsedUpLimit => ({
  name,
  field: `"${name}";r=0;t=${seconds}`,
});
