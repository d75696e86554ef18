/** A request of the page, as the lines of code that a view shows have it. */
import type { Sent } from "../../docs/snippets.js";
import { type Asked, addressOf } from "./request.js";
import { holder } from "./session.js";

/** A request with what it gives, for who chooses among several of a view. */
export interface Told extends Sent {
  readonly title?: string;
}

interface More {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** JSON, where it says nothing else. */
  readonly answer?: Sent["answer"];
  /** The name under which bytes are kept. */
  readonly file?: string;
  /** Whether it needs a token; else it has one where somebody is signed in. */
  readonly signed?: boolean;
}

/**
 * The request that ask, tell or send would make of the same; a token stands in it as a name in the environment.
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
