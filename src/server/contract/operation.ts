/**
 * The types of the contract's operations. A wrong status, media type or body, or a missing handler, does not compile.
 */
import type { ServerResponse } from "node:http";
import type { z } from "@hono/zod-openapi";
import type { operations } from "../../../generated/openapi.js";
import type { ACCESS, routes } from "../../../generated/routes.js";
import type { FoundIssues } from "../../domain/errors.js";
import type { Principal } from "../../identity/principal.js";
import type { Validity } from "../../index/query/query-cache.js";
import type { RequestContext } from "../http/request-context.js";
import type { Caller } from "./caller.js";

export type OperationId = keyof typeof routes & keyof operations;

type RequestOf<K extends OperationId> = (typeof routes)[K]["request"];
type Part<R, P extends string> = R extends { [key in P]: infer S extends z.ZodType }
  ? z.output<S>
  : Record<string, never>;
type BodyOf<R> = R extends { body: { content: infer C } }
  ? C[keyof C] extends { schema: infer S extends z.ZodType }
    ? z.output<S>
    : never
  : undefined;

/** The holder of the token, by the contract's `security`. */
type PrincipalOf<A> = A extends "required"
  ? { readonly principal: Principal }
  : A extends "optional"
    ? { readonly principal: Principal | undefined }
    : unknown;

/** A validated request of an authenticated caller, as the contract describes it. */
export type Request<K extends OperationId> = ValidRequest<K> & PrincipalOf<(typeof ACCESS)[K]>;

interface ValidRequest<K extends OperationId> {
  readonly path: Part<RequestOf<K>, "params">;
  readonly query: Part<RequestOf<K>, "query">;
  readonly headers: Part<RequestOf<K>, "headers">;
  readonly body: BodyOf<RequestOf<K>>;
  readonly caller: Caller;
  /** Receives what the log, the metrics and the audit record. */
  readonly context: RequestContext;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

type Responses<K extends OperationId> = operations[K]["responses"];
type Headers = { readonly [name: string]: string };

/** Serialised JSON. Test mode validates `shape`, if given. */
export interface JsonText<Body> {
  readonly text: string;
  readonly shape?: Body;
}

/** Bytes that write themselves into the connection, because web streams would copy them. */
export interface DirectBytes {
  /** In bytes; undefined if it is not known before the end. */
  readonly length: number | undefined;
  /** Writes all bytes; the caller ends the response. */
  writeTo(out: ServerResponse): Promise<void>;
  /** The bytes as a stream. Only one of `writeTo` and `stream` may be used, once. */
  stream(): ReadableStream<Uint8Array>;
  /** Called if the bytes will not be read. */
  abandon?(): void;
}

/** JSON is a value or its text; everything else is text or bytes. */
type BodyAs<Type, Body> = Type extends `application/${string}json`
  ? Body | JsonText<Body> | DirectBytes
  : Body | Uint8Array | DirectBytes;

type ReplyWith<Status, Response> = Response extends { content: infer C extends object }
  ? {
      [Type in keyof C]: {
        readonly status: Status;
        readonly type: Type;
        readonly body: BodyAs<Type, C[Type]>;
        readonly headers?: Headers;
        /** Set if the same address gets the same reply, without a token, as long as it is current. */
        readonly validity?: Validity | undefined;
      };
    }[keyof C]
  : { readonly status: Status; readonly headers?: Headers };

/** Any answer that the contract declares for an operation. */
export type Reply<K extends OperationId> = {
  [Status in keyof Responses<K>]: ReplyWith<Status, Responses<K>[Status]>;
}[keyof Responses<K>];

/** Handles a validated request with an answer of the contract. */
export type Handler<K extends OperationId> = ((request: Request<K>) => Promise<Reply<K>>) & {
  /** Finds further issues of a body that does not match the schema, so that all are reported together. */
  readonly moreIssues?: MoreIssues<K>;
};

export type MoreIssues<K extends OperationId> = (
  request: WrongRequest & PrincipalOf<(typeof ACCESS)[K]>,
) => Promise<FoundIssues>;

interface WrongRequest {
  readonly caller: Caller;
  /** As sent. */
  readonly body: unknown;
  /** Whether a location in the body has an issue already. */
  isReported(name: string): boolean;
}

/** One handler for each operation of the contract. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** The text or bytes of a serialised body. */
export function writtenBody(body: unknown): string | Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  const { text } = (body ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : undefined;
}

/** Whether a body writes itself. */
export function isDirect(body: unknown): body is DirectBytes {
  const { writeTo } = (body ?? {}) as { writeTo?: unknown };
  return typeof writeTo === "function";
}
