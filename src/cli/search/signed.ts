/** Questions to a service with the token of whoever asks, where there is one: searching needs none. */

import { refreshTokenOf } from "../accounts/refresh-token.js";
import { authenticate, keptToken } from "../client/authenticate.js";
import { BrowseError, type BrowseQuestion, browse, browseJson } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import type { SearchOptions } from "./options.js";

type Asked = Omit<BrowseQuestion, "token">;

export class Signed {
  readonly #service: string;
  /** Nobody asked for it, so that a search goes on without it. */
  readonly #isKept: boolean;
  #token: string | undefined;

  private constructor(service: string, token: string | undefined, isKept: boolean) {
    this.#service = service;
    this.#token = token;
    this.#isKept = isKept;
  }

  /** With a refresh token that is given, a user's name, or a token that is kept. @throws AuthenticationError */
  static async open(options: SearchOptions): Promise<Signed> {
    const { host = DEFAULT_HOST, username } = options;
    const service = serviceAddress(host);
    const refreshToken = await refreshTokenOf(options);
    const isKept = refreshToken === undefined && username === undefined;
    const token = isKept
      ? await keptToken(host)
      : await authenticate({ host, username, refreshToken });
    return new Signed(service, token?.access_token, isKept);
  }

  /** @throws as `browse` */
  ask(question: BrowseQuestion): Promise<Response> {
    return this.#trying((token) => browse(this.#service, { ...question, token }));
  }

  /** @throws as `browseJson` */
  askJson<T>(question: Omit<Asked, "type">): Promise<T> {
    return this.#trying((token) => browseJson<T>(this.#service, { ...question, token }));
  }

  async #trying<T>(ask: (token: string | undefined) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#token);
    } catch (error) {
      const isRefused = error instanceof BrowseError && error.status === 401;
      if (!(isRefused && this.#isKept && this.#token !== undefined)) throw error;
      process.stderr.write("The token that is kept is not valid any more: asking without one.\n");
      this.#token = undefined;
      return ask(undefined);
    }
  }
}
