/** A request of the page as shown as code. */
import type { Sent } from "../../docs/snippets.js";
import { type Asked, addressOf } from "./request.js";
import { holder } from "./session.js";

/** A request, with a title to choose it by. */
export interface Told extends Sent {
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
 * The request that ask, tell or send would make. A token appears as the name of an environment variable.
 *
 * @param title what it gives
 */
export function sentOf(
  title: string,
  path: Parameters<typeof addressOf>[0],
  asked: Asked = {},
  { method = "GET", answer = "json", file, signed = holder.value !== undefined }: More = {},
): Told {
  const { body } = asked;
  return {
    title,
    method,
    address: addressOf(path, asked.in === undefined ? {} : { in: asked.in }),
    query: (asked.query ?? []).map(([name, value]) => [name, value]),
    headers: Object.entries(asked.headers ?? {}),
    signed,
    ...(body instanceof URLSearchParams && { form: [...body] }),
    ...(body !== undefined && !(body instanceof URLSearchParams) && { json: body }),
    answer,
    ...(file !== undefined && { file }),
  };
}
