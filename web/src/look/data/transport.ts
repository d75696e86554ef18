/** Requests of the worker. The access token is sent in a header, never in an address. */
import { UNREACHABLE, type WorkerError } from "./failures.js";

export class Transport {
  /** Address of the service's API, with a trailing slash. */
  readonly #base: string;
  /** Newest access token; undefined if nobody is signed in. */
  token: string | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  /**
   * The bytes of a path below the API; undefined if absent (404).
   *
   * @param mayBeAbsent whether 404 is an expected answer
   * @throws WorkerError, AbortError
   */
  async bytes(
    path: string,
    signal?: AbortSignal | null,
    headers: Readonly<Record<string, string>> = {},
    mayBeAbsent = true,
  ): Promise<Uint8Array | undefined> {
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    try {
      const response = await fetch(this.#base + path, {
        headers: { ...headers, ...authorization },
        ...(signal && { signal }),
      });
      if (response.status === 404 && mayBeAbsent) return undefined;
      if (!response.ok) throw await refusalOf(response);
      return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      // TypeError: a network failure, or a body that broke off.
      if (error instanceof TypeError) throw UNREACHABLE;
      throw error;
    }
  }
}

async function refusalOf(response: Response): Promise<WorkerError> {
  const text = await response.text();
  let problem: unknown;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = undefined;
  }
  const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return { kind: "refused", status: response.status, problem, retryAfter };
}
