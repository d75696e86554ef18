/**
 * The types of the contract's operations. A wrong status, media type or body, or a missing handler, does not compile.
 */
import type { z } from "@hono/zod-openapi";
import type { operations } from "../../../generated/openapi.js";
import type { AccessOf, OperationName } from "../../../generated/operations.js";
import { routes } from "../../../generated/routes.js";
import type { FoundIssues } from "../../domain/errors.js";
import type { Principal } from "../../identity/principal.js";
import type { Validity } from "../../index/query/query-cache.js";
import { type Answer, type DirectBytes, isDirect } from "../http/answer.js";
import type { RequestContext } from "../http/request-context.js";
import type { Caller } from "./caller.js";

export type OperationId = keyof typeof routes & keyof operations & OperationName;

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
export type Request<K extends OperationId> = ValidRequest<K> & PrincipalOf<AccessOf<K>>;

interface ValidRequest<K extends OperationId> extends Pick<AnyRequest, "caller" | "context"> {
  readonly path: Part<RequestOf<K>, "params">;
  readonly query: Part<RequestOf<K>, "query">;
  readonly headers: Part<RequestOf<K>, "headers">;
  readonly body: BodyOf<RequestOf<K>>;
}

/** The parts that the requests of all operations have. */
export interface AnyRequest {
  readonly caller: Caller;
  readonly principal?: Principal | undefined;
  /** Receives what the log, the metrics and the audit record. */
  readonly context: RequestContext;
}

type Responses<K extends OperationId> = operations[K]["responses"];
type Headers = { readonly [name: string]: string };

/** Serialised JSON. Test mode validates `shape`, if given. */
interface JsonText<Body> {
  readonly text: string;
  readonly shape?: Body;
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

/** Handles a validated request with an answer of the contract, by services `S`. */
export type ContractHandler<K extends OperationId, S> = ((
  request: Request<K>,
  services: S,
) => Promise<Reply<K>>) & {
  /** Finds further issues of a body that does not match the schema, so that all are reported together. */
  readonly moreIssues?: (request: WrongRequest, services: S) => Promise<FoundIssues>;
};

export interface Sender {
  readonly caller: Caller;
  readonly principal: Principal;
}

export interface WrongRequest extends Sender {
  /** As sent. */
  readonly body: unknown;
  /** Whether a location in the body has an issue already. */
  isReported(name: string): boolean;
}

/** One handler for each operation of the contract. */
export type Handlers<S> = { readonly [K in OperationId]: ContractHandler<K, S> };

/** The text or bytes of a serialised body. */
function writtenBody(body: unknown): string | Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  const { text } = (body ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : undefined;
}

export interface AnyReply {
  readonly status: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Headers;
  readonly validity?: Validity | undefined;
}

const contentType = (type: string): string =>
  type.startsWith("text/") ? `${type}; charset=utf-8` : type;

/** A handler's reply as an answer: JSON is serialised. */
export function answerOf({ status, type, headers, body }: AnyReply): Answer {
  if (type === undefined) return { status, headers: headers ?? {} };
  const written = isDirect(body) ? body : writtenBody(body);
  return {
    status,
    // A reply may set a more specific type, such as one with a version.
    headers: { "Content-Type": contentType(type), ...headers },
    body: written ?? (type.endsWith("json") ? JSON.stringify(body) : String(body)),
  };
}

interface Declared {
  readonly content?: Record<string, { readonly schema: z.ZodType }>;
}

export class ContractBreach extends Error {
  override readonly name = "ContractBreach";
}

/** Test mode: validates an answer against the contract. */
export function checkReply(id: OperationId, reply: AnyReply): void {
  const responses = routes[id].responses as Record<number, Declared | undefined>;
  const declared = responses[reply.status];
  if (declared === undefined) throw new ContractBreach(`${id} has no status ${reply.status}`);
  if (reply.type === undefined) {
    if (declared.content) throw new ContractBreach(`${id} ${reply.status} lacks its body`);
    return;
  }
  const schema = declared.content?.[reply.type]?.schema;
  if (!schema) throw new ContractBreach(`${id} ${reply.status} has no ${reply.type}`);
  // The test that reads it validates it.
  if (isDirect(reply.body)) return;
  const written = writtenBody(reply.body) !== undefined;
  const value = written ? (reply.body as { shape?: unknown }).shape : reply.body;
  if (written && value === undefined) return;
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new ContractBreach(`${id} ${reply.status}: ${result.error.message}`);
  }
}
