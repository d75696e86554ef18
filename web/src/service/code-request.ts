/** A request of the page, to be shown as code. */
import type { Sent } from "../../docs/snippets.js";
import { addressOf, type RequestOptions } from "./request.js";
import { currentUser } from "./session.js";

/** A request, with a title to choose it by. */
export interface CodeRequest extends Sent {
  readonly title?: string;
}

interface More {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** JSON by default. */
  readonly answer?: Sent["answer"];
  /** File name for binary answers. */
  readonly file?: string;
  /** Whether it needs a token; by default if somebody is signed in. */
  readonly signed?: boolean;
}

/**
 * The request that getJson, sendJson or send would make. A token appears as the name of an environment variable.
 *
 * @param title what it gives
 */
export function codeRequest(
  title: string,
  path: Parameters<typeof addressOf>[0],
  options: RequestOptions = {},
  { method = "GET", answer = "json", file, signed = currentUser.value !== undefined }: More = {},
): CodeRequest {
  const { body } = options;
  return {
    title,
    method,
    address: addressOf(path, options.in === undefined ? {} : { in: options.in }),
    query: (options.query ?? []).map(([name, value]) => [name, value]),
    headers: [],
    signed,
    ...(body instanceof URLSearchParams && { form: [...body] }),
    ...(body !== undefined && !(body instanceof URLSearchParams) && { json: body }),
    answer,
    ...(file !== undefined && { file }),
  };
}
