/** Requests to the service, typed by its contract. Addresses are relative, so they work below any proxy path. */
import type { paths } from "../../../generated/openapi.js";
import { PREFIX } from "../../../generated/prefix.js";
import { root } from "../address/address.js";
import { lost, reached } from "./connection.js";
import { isAbort, type Problem, Refused, Unreachable } from "./problem.js";
import { accessToken } from "./session.js";

/** Query parameters in order. */
export type Pairs = readonly (readonly [name: string, value: string])[];

type Method = "get" | "post" | "put" | "delete";
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
/** The JSON body of an operation's answer. */
export type Answer<P extends keyof paths, M extends Method = "get"> =
  Operation<P, M> extends { responses: infer R }
    ? R extends { 200: { content: { "application/json": infer B } } }
      ? B
      : R extends { 201: { content: { "application/json": infer B } } }
        ? B
        : undefined
    : never;

/** The paths that have an operation of a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends undefined ? never : P;
}[keyof paths];

export interface RequestOptions {
  /** Path parameters. */
  readonly in?: Readonly<Record<string, string>>;
  readonly query?: Pairs;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a form. */
  readonly body?: unknown;
}

/** The absolute address of an operation, for programs elsewhere. */
export function addressOf(
  path: keyof paths,
  { in: values = {}, query = [] }: RequestOptions = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const address = new URL(`${root.replace(/\/$/, "")}${PREFIX}${filled}`, location.href);
  for (const [name, value] of query) address.searchParams.append(name, value);
  return address.href;
}

/** Sends a request with the user's token. @throws Refused, Unreachable; the signal's reason if aborted */
export async function send(
  method: Method,
  path: keyof paths,
  options: RequestOptions = {},
): Promise<Response> {
  const token = await accessToken();
  const { body } = options;
  const json = body !== undefined && !(body instanceof URLSearchParams);
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(json && { "Content-Type": "application/json" }),
    ...options.headers,
  };
  let answer: Response;
  try {
    answer = await fetch(addressOf(path, options), {
      method: method.toUpperCase(),
      headers,
      ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as URLSearchParams) }),
      ...(options.signal && { signal: options.signal }),
    });
  } catch (error) {
    if (options.signal?.aborted || isAbort(error)) throw error;
    lost();
    throw new Unreachable(error);
  }
  reached();
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  const wait = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  throw new Refused(answer.status, problem, Number.isFinite(wait) ? wait : undefined);
}

/** GET with a JSON answer. @throws as send */
export async function getJson<P extends PathsOf<"get">>(
  path: P,
  options: RequestOptions = {},
): Promise<Answer<P>> {
  const answer = await send("get", path, {
    ...options,
    headers: { Accept: "application/json", ...options.headers },
  });
  return read(answer, options.signal);
}

/** POST, PUT or DELETE. @returns undefined if the answer has no content. @throws as send */
export async function sendJson<M extends "post" | "put" | "delete", P extends PathsOf<M>>(
  method: M,
  path: P,
  options: RequestOptions = {},
): Promise<Answer<P, M>> {
  const answer = await send(method, path, options);
  if (answer.status === 204) return undefined as Answer<P, M>;
  return read(answer, options.signal);
}

/** @throws Unreachable if the body breaks off */
async function read<T>(answer: Response, signal: AbortSignal | undefined): Promise<T> {
  try {
    return (await answer.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(error);
  }
}
