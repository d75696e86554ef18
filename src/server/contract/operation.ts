/**
 * The types that tie a handler to its operation in the contract: a wrong status, media type or
 * shape of a body, or a missing handler, does not compile.
 */
import type { Writable } from "node:stream";
import type { z } from "@hono/zod-openapi";
import type { operations } from "../../../generated/openapi.js";
import type { ACCESS, routes } from "../../../generated/routes.js";
import type { FoundIssues } from "../../domain/errors.js";
import type { Principal } from "../../identity/principal.js";
import type { RequestContext } from "../request-context.js";
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

/** Only where the contract's `security` asks for a token is there somebody to speak of. */
type PrincipalOf<A> = A extends "required"
  ? { readonly principal: Principal }
  : A extends "optional"
    ? { readonly principal: Principal | undefined }
    : unknown;

/** A validated request, as the contract describes it, of a caller who may make it. */
export type Request<K extends OperationId> = ValidRequest<K> & PrincipalOf<(typeof ACCESS)[K]>;

interface ValidRequest<K extends OperationId> {
  readonly path: Part<RequestOf<K>, "params">;
  readonly query: Part<RequestOf<K>, "query">;
  readonly headers: Part<RequestOf<K>, "headers">;
  readonly body: BodyOf<RequestOf<K>>;
  readonly caller: Caller;
  /** Where is said what is done, for those who count and record it. */
  readonly context: RequestContext;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export type ByteStream = ReadableStream<Uint8Array>;

type Responses<K extends OperationId> = operations[K]["responses"];
type Headers = { readonly [name: string]: string };

/** JSON of any length, written piece by piece; `shape` only ties it to the contract's type. */
export interface JsonStream<Body> {
  readonly stream: ByteStream;
  readonly shape?: Body;
}

/** JSON that is written already; where `shape` is given, test mode holds it against the contract. */
export interface JsonText<Body> {
  readonly text: string;
  readonly shape?: Body;
}

/** Bytes that write themselves into the connection: what is large goes past the web streams, which copy. */
export interface DirectBytes {
  /** Bytes. */
  readonly length: number;
  /** Writes all of them, and leaves it to the caller to end. */
  writeTo(out: Writable): Promise<void>;
  /** The same for whoever has no connection at hand. Only one of both is used, once. */
  stream(): ByteStream;
  /** Told that nobody will ask for them. */
  abandon?(): void;
}

/** JSON is given as a value or as its text, everything else as text or bytes. */
type BodyAs<Type, Body> = Type extends `application/${string}json`
  ? Body | JsonStream<Body> | JsonText<Body> | DirectBytes
  : Body | ByteStream | Uint8Array | DirectBytes;

type ReplyWith<Status, Response> = Response extends { content: infer C extends object }
  ? {
      [Type in keyof C]: {
        readonly status: Status;
        readonly type: Type;
        readonly body: BodyAs<Type, C[Type]>;
        readonly headers?: Headers;
      };
    }[keyof C]
  : { readonly status: Status; readonly headers?: Headers };

/** Any answer that the contract gives to an operation. */
export type Reply<K extends OperationId> = {
  [Status in keyof Responses<K>]: ReplyWith<Status, Responses<K>[Status]>;
}[keyof Responses<K>];

/** An operation: a validated request in, an answer of the contract out. */
export type Handler<K extends OperationId> = ((request: Request<K>) => Promise<Reply<K>>) & {
  /** Of a body that is not of the contract's form: what else is wrong with it, so that all is told at once. */
  readonly moreIssues?: MoreIssues<K>;
};

export type MoreIssues<K extends OperationId> = (
  request: WrongRequest & PrincipalOf<(typeof ACCESS)[K]>,
) => Promise<FoundIssues>;

interface WrongRequest {
  readonly caller: Caller;
  /** As it came. */
  readonly body: unknown;
  /** Whether something is said of a place in it already. */
  isReported(name: string): boolean;
}

/** One handler for each operation of the contract. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** The text or bytes of a body that is written already, if it is. */
export function writtenBody(body: unknown): string | Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  const { text } = (body ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : undefined;
}

/** The stream of a body, if it is one. */
export function streamOf(body: unknown): ByteStream | undefined {
  if (body instanceof ReadableStream) return body;
  const { stream } = (body ?? {}) as { stream?: unknown };
  return stream instanceof ReadableStream ? stream : undefined;
}

/** A body that writes itself, if it is one. */
export function directBytes(body: unknown): DirectBytes | undefined {
  const { writeTo } = (body ?? {}) as { writeTo?: unknown };
  return typeof writeTo === "function" ? (body as DirectBytes) : undefined;
}
