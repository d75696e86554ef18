/** Sends requests to a service with the user's token, if there is one: a search needs none. */
import { credentialsOf } from "../accounts/credentials.js";
import { type Credentials, optionalToken } from "../client/authenticate.js";
import { BrowseError, type BrowseRequest, browse, browseJson } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import type { SearchOptions } from "./options.js";

type Request = Omit<BrowseRequest, "token">;

export class SignedClient {
  readonly #service: string;
  readonly #credentials: Credentials;
  #token: string | undefined;
  #hasAnswered = false;

  private constructor(service: string, credentials: Credentials, token: string | undefined) {
    this.#service = service;
    this.#credentials = credentials;
    this.#token = token;
  }

  /** Uses the credentials of the options and the environment, or a cached token. */
  static async open(options: SearchOptions): Promise<SignedClient> {
    const service = serviceAddress(options.host ?? DEFAULT_HOST);
    const credentials = await credentialsOf(options);
    const { text } = await optionalToken(credentials);
    return new SignedClient(service, credentials, text);
  }

  ask(request: BrowseRequest): Promise<Response> {
    return this.#trying((token) => browse(this.#service, { ...request, token }));
  }

  askJson<T>(request: Omit<Request, "type">): Promise<T> {
    return this.#trying((token) => browseJson<T>(this.#service, { ...request, token }));
  }

  async #trying<T>(ask: (token: string | undefined) => Promise<T>): Promise<T> {
    const sent = this.#token;
    const answer = await ask(sent).catch(async (error) => {
      if (!(error instanceof BrowseError && error.status === 401) || sent === undefined)
        throw error;
      return ask(await this.#another(sent, error));
    });
    this.#hasAnswered = true;
    return answer;
  }

  /**
   * The token to send after one was refused. A search goes on without a cached token that has ended, which the user did not give;
   * but not in the middle of its pages, as later ones would lack what only this user may see.
   */
  async #another(refused: string, error: BrowseError): Promise<string | undefined> {
    const { text } = await optionalToken({ ...this.#credentials, refused });
    if (text === refused || (text === undefined && this.#hasAnswered)) throw error;
    if (text === undefined) {
      process.stderr.write("The cached token is not valid any more: searching without one.\n");
    }
    this.#token = text;
    return text;
  }
}
