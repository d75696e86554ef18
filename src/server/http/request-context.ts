/**
 * The request context: what logs, metrics, limits and the audit know of one request and its answer. Handlers fill it in,
 * and observers read it when the request is over.
 */
import type { OperationName } from "../../../generated/operations.js";
import type { SearchedValue } from "../../domain/search/search.js";
import type { Owner } from "../../domain/user-data/owner.js";
import type { Principal } from "../../identity/principal.js";
import type { DomainError } from "../../platform/errors.js";
import type { OutputPace } from "../../platform/output-pace.js";

/** Status for a client that disconnected before the answer, as in nginx; HTTP has none. */
export const CLIENT_LEFT = 499;

/** Whether a chunk is sent as stored in its file, or decoded. */
export type ChunkKind = "passed" | "decoded";

/** Details of an operation for the audit; no token, password, path or data value. */
export interface Particulars {
  readonly grant?: "password" | "refresh_token" | "authorization_code";
  /** The user name of a sign-in attempt. */
  readonly name?: string;
  readonly client?: string;
  /** The holder of a new token. */
  readonly holder?: { readonly sub: string; readonly name: string; readonly issuer: string };
  readonly dataset?: string;
  /** Lifetime of a grant. */
  readonly seconds?: number;
  readonly added?: number;
  readonly duplicates?: number;
  readonly deleted?: number;
  readonly flavour?: string;
  readonly isForAll?: boolean;
}

/** A search, without its caller. */
export interface Searched {
  /** Undefined for a user's own flavour. */
  readonly flavour: string | undefined;
  readonly values: readonly SearchedValue[];
  readonly isFound: boolean;
}

/** The quantities of which each client has a quota (LIMIT_...). */
export const LIMITS = ["requests", "streams", "bytes", "decode"] as const;
export type LimitName = (typeof LIMITS)[number];

/** A limit that is used up. */
export interface UsedUpLimit {
  readonly name: LimitName;
  /** The limit in the header RateLimit. */
  readonly field: string;
}

/** Charges a request and its answer to the quotas of its client, and slows the answer down accordingly. */
export interface QuotaCharge extends OutputPace {
  /** The limit that slows this answer down. */
  readonly slowedBy: UsedUpLimit | undefined;
  /**
   * Announces that data are read.
   *
   * @param by the client, or the owner who shared the data
   * @returns when the data may be read; undefined: at once. @throws TooManyRequests, at once or later
   */
  reads(by: Owner): Promise<void> | undefined;
  /** Charges the time that a process has read or decoded. */
  decoded(milliseconds: number): void;
  /** Ends the charge with the request. */
  over(): void;
}

export class RequestContext {
  /** Arrival, by performance.now(). */
  readonly began = performance.now();
  /** The operationId; undefined if no operation matched. */
  operation: OperationName | undefined;
  /** The caller's network address; undefined before the operation is known. */
  address: string | undefined;
  /** The holder of the access token; undefined without one. */
  principal: Principal | undefined;
  /** The data set that is read, and the client; with a ticket, the sharer. An anonymous client reads public data. */
  reading: { readonly dataset: string; readonly by: Owner } | undefined;
  chunk: ChunkKind | undefined;
  particulars: Particulars | undefined;
  searched: Searched | undefined;
  /** Whether its If-None-Match names entity tags, so that a 304 repeats an answer that was charged. */
  namesTag = false;
  /** Milliseconds that processes have read and decoded for the request. */
  decodeMs = 0;
  /** Undefined if there are no limits. */
  charge: QuotaCharge | undefined;

  /** Status of the answer, or CLIENT_LEFT; 0 before the answer. */
  status = 0;
  /** Bytes on the wire, headers included. */
  bytes = 0;
  /** From the request to the end of the answer. */
  milliseconds = 0;
  /** The answer is incomplete, whatever the cause. */
  isBroken = false;
  /** The answer is incomplete because its source failed. */
  isBrokenByUs = false;
  /** The error that was answered; undefined also for an unexpected failure. */
  problem: DomainError | undefined;

  /**
   * @param id identifies the request in logs: the caller's own, or a generated one
   * @param trace trace-id of the caller (W3C Trace Context), if it has one
   * @param path of the address as sent; not for logs
   */
  constructor(
    readonly id: string,
    readonly trace: string | undefined,
    readonly method: string,
    readonly path: string,
  ) {}

  /**
   * Announces that data are read. Call it before the reading.
   *
   * @param dataset its identifier; @returns when the data may be read; undefined: at once; @throws TooManyRequests
   */
  reads(dataset: string, by: Owner): Promise<void> | undefined {
    this.reading = { dataset, by };
    return this.charge?.reads(by);
  }

  /** Adds the time that a process has read or decoded. */
  decoded(milliseconds: number): void {
    this.decodeMs += milliseconds;
    this.charge?.decoded(milliseconds);
  }

  /** Adds details for the audit. */
  record(particulars: Particulars): void {
    this.particulars = { ...this.particulars, ...particulars };
  }
}

/** The log fields that identify a request. */
export const namesOf = ({ id, trace }: RequestContext): Readonly<Record<string, string>> => ({
  id,
  ...(trace !== undefined && { trace }),
});

/** Observes requests. Its methods must be fast and must not throw. */
export interface RequestObserver {
  began?(context: RequestContext): void;
  /** The operation is done or refused, even if the client has disconnected. The answer is not sent yet. */
  decided?(context: RequestContext, status: number): void;
  /** The answer is sent or broken off. */
  ended(context: RequestContext): void;
  /** Bytes that are no valid request were answered with a problem. They have no context. */
  refused?(problem: DomainError): void;
}
