import { DAY } from "../../domain/extent/durations.js";
import type { LimitName, UsedUpLimit } from "../http/request-context.js";

/** The quotas of each client; omitted ones have no limit. */
export interface LimitSettings {
  /** Requests a second, averaged over BURST seconds. */
  readonly requests?: number;
  /** Lists, catalogues and keys of zarr streams that are sent at the same time. */
  readonly streams?: number;
  /** Bytes a day (UTC). */
  readonly bytes?: number;
  /** Seconds a day that processes read and decode. */
  readonly decode?: number;
}

/** Seconds of requests that may arrive at once. */
export const BURST = 5;
/** Milliseconds for which a request waits for its turn, a stream for a permit, and a reading for decoding time. */
export const MAX_WAIT = { request: 5000, stream: 30_000, reading: 10_000 } as const;
/** Streams that may wait, for each stream that may be sent. */
export const MAX_WAITING = 8;
/** Beyond this multiple of a day's quota, a client gets nothing until the next day. */
export const REFUSED_FROM = 2;
/** Minimal bytes a second of a stream: clients time out if nothing arrives. */
export const MIN_PACE = 1 << 16;

/** Both in milliseconds. */
export interface Clock {
  /** For durations. */
  readonly monotonic: () => number;
  /** For the time of day. */
  readonly date: () => number;
}

/** The rules that all accounts of a process share. */
export interface Rules extends LimitSettings {
  readonly clock: Clock;
  /** The limits in the header RateLimit-Policy. */
  readonly policy: string;
}

/** The header RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10, 3). `decode-seconds` is a unit of this service. */
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

/** A limit that is used up, with its header RateLimit (the same draft, 4). @param seconds until more is available */
export const usedUp = (name: LimitName, seconds: number): UsedUpLimit => ({
  name,
  field: `"${name}";r=0;t=${seconds}`,
});
