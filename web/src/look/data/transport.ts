/** Requests of the worker: all carry the access token in their header, and none in an address. */
import { type Failing, UNREACHABLE } from "./failures.js";

export class Transport {
  /** Of the service's API, with a slash at its end. */
  readonly #base: string;
  /** Newest access token; undefined for somebody who has none. */
  token: string | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  /**
   * The bytes of a path below the API; undefined where there is nothing (404).
   *
   * @param mayBeAbsent whether that is no failure
   * @throws Failing, AbortError
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
      // A fetch that fails for the network, and a body that breaks off.
      if (error instanceof TypeError) throw UNREACHABLE;
      throw error;
    }
  }
}

async function refusalOf(response: Response): Promise<Failing> {
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
