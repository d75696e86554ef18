/** Sends requests to a service with the user's token, if there is one: a search needs none. */
import { credentialsOf } from "../accounts/credentials.js";
import { optionalToken } from "../client/authenticate.js";
import { BrowseError, type BrowseRequest, browse, browseJson } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import type { SearchOptions } from "./options.js";

type Request = Omit<BrowseRequest, "token">;

export class SignedClient {
  readonly #service: string;
  /** The user did not ask for this token, so a search goes on without it. */
  readonly #isCached: boolean;
  #token: string | undefined;

  private constructor(service: string, token: string | undefined, isCached: boolean) {
    this.#service = service;
    this.#token = token;
    this.#isCached = isCached;
  }

  /** Uses the credentials of the options and the environment, or a cached token. */
  static async open(options: SearchOptions): Promise<SignedClient> {
    const service = serviceAddress(options.host ?? DEFAULT_HOST);
    const credentials = await credentialsOf(options);
    const { text, isCached } = await optionalToken(credentials);
    return new SignedClient(service, text, isCached);
  }

  ask(request: BrowseRequest): Promise<Response> {
    return this.#trying((token) => browse(this.#service, { ...request, token }));
  }

  askJson<T>(request: Omit<Request, "type">): Promise<T> {
    return this.#trying((token) => browseJson<T>(this.#service, { ...request, token }));
  }

  async #trying<T>(ask: (token: string | undefined) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#token);
    } catch (error) {
      const isRefused = error instanceof BrowseError && error.status === 401;
      if (!(isRefused && this.#isCached && this.#token !== undefined)) throw error;
      process.stderr.write("The cached token is not valid any more: searching without one.\n");
      this.#token = undefined;
      return ask(undefined);
    }
  }
}
