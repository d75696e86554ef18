/**
 * One request and its answer, as what is logged, counted, limited and recorded sees it: the one thing made for each
 * request beside the framework's own. Who builds the answer says here what it is; who watches reads it when it is over.
 */
import type { SearchedValue } from "../domain/search/search.js";
import type { Owner } from "../domain/user-data/owner.js";
import type { Principal } from "../identity/principal.js";
import type { DomainError } from "../platform/errors.js";
import type { OutputPace } from "../platform/output-pace.js";

/** Status of a client that left before it had an answer; HTTP has none for what nobody gets (nginx's is this). */
export const CLIENT_LEFT = 499;

/** What the bytes of an answer are, where the operation alone does not tell: chunks as they lie in a file, or made. */
export type ChunkKind = "passed" | "decoded";

/** What of an operation is worth a record beside who asked for it; no token, password, path or value of data. */
export interface Particulars {
  readonly grant?: "password" | "refresh_token" | "authorization_code";
  /** Under which somebody wants to sign in. */
  readonly name?: string;
  readonly client?: string;
  /** Whom a token was made for. */
  readonly holder?: { readonly sub: string; readonly name: string; readonly issuer: string };
  readonly dataset?: string;
  /** For which something was granted. */
  readonly seconds?: number;
  readonly added?: number;
  readonly duplicates?: number;
  readonly deleted?: number;
  readonly flavour?: string;
  readonly isForAll?: boolean;
}

/** What was searched, by whomever. */
export interface Searched {
  /** Undefined for one that somebody has made. */
  readonly flavour: string | undefined;
  readonly asked: readonly SearchedValue[];
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
  /** When the request came; as performance.now() counts. */
  readonly began = performance.now();
  /** Of the contract; undefined where none was met. */
  operation: string | undefined;
  /** The network address that the request came from; undefined before the contract was reached. */
  address: string | undefined;
  /** Whoever holds the access token; undefined without one. */
  principal: Principal | undefined;
  /** Of what is read: the data set, and for whom, who is the sharer where it is read by a ticket. */
  reading: { readonly dataset: string; readonly by: Owner } | undefined;
  chunk: ChunkKind | undefined;
  particulars: Particulars | undefined;
  searched: Searched | undefined;
  /** Milliseconds that processes have read and decoded for it. */
  decodeMs = 0;
  /** Undefined if there are no limits. */
  charge: QuotaCharge | undefined;

  /** Of the answer, or CLIENT_LEFT; 0 before there is one. */
  status = 0;
  /** On the wire, headers too. */
  bytes = 0;
  /** From the request to the end of the answer. */
  milliseconds = 0;
  /** The answer did not come to its end, whoever was the cause. */
  isBroken = false;
  /** That was not the client's doing: what was being sent could not be had any more. */
  isBrokenByUs = false;
  /** What was answered instead of what was asked for; undefined also for a failure that nobody foresaw. */
  problem: DomainError | undefined;

  /**
   * @param id by which people find the request in logs: the caller's own, or a made one
   * @param trace trace-id of the caller (W3C Trace Context), if it has one
   * @param path of its address, as it came; not for logs
   */
  constructor(
    readonly id: string,
    readonly trace: string | undefined,
    readonly method: string,
    readonly path: string,
  ) {}

  /**
   * Told by whoever hands out data, before they are read.
   *
   * @param dataset its identifier; @returns when they may be read, where that is not at once; @throws TooManyRequests
   */
  reads(dataset: string, by: Owner): Promise<void> | undefined {
    this.reading = { dataset, by };
    return this.charge?.reads(by);
  }

  /** Told by processes that read. */
  decoded(milliseconds: number): void {
    this.decodeMs += milliseconds;
    this.charge?.decoded(milliseconds);
  }

  /** Told by whoever does something that is recorded, more with each call. */
  record(particulars: Particulars): void {
    this.particulars = { ...this.particulars, ...particulars };
  }
}

/** By what a line of a log is found again that speaks of a request. */
export const namesOf = (context: RequestContext | undefined): Readonly<Record<string, string>> => ({
  ...(context !== undefined && { id: context.id }),
  ...(context?.trace !== undefined && { trace: context.trace }),
});

/** Who watches exchanges; it must neither fail nor take long. */
export interface RequestObserver {
  began?(context: RequestContext): void;
  /** What was asked for is done, or refused, also where the caller has left meanwhile; the answer has still to go out. */
  decided?(context: RequestContext, status: number): void;
  /** The answer has gone out, or was broken off. */
  ended(context: RequestContext): void;
}
