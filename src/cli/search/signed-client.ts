/** Sends requests to a service with the user's token, if there is one: a search needs none. */
import { credentialsOf } from "../accounts/credentials.js";
import { optionalToken } from "../client/authenticate.js";
import { BrowseError, type BrowseRequest, browse, browseJson } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import type { SearchOptions } from "./options.js";

export type SignedClient = Awaited<ReturnType<typeof signedClient>>;

/** Uses the credentials of the options and the environment, or a cached token. */
export async function signedClient(options: SearchOptions) {
  const service = serviceAddress(options.host ?? DEFAULT_HOST);
  const credentials = await credentialsOf(options);
  let token = (await optionalToken(credentials)).text;
  let hasAnswered = false;

  /**
   * The token to send after one was refused. A search goes on without a cached token that has ended, which the user did not give;
   * but not in the middle of its pages, as later ones would lack what only this user may see.
   */
  async function another(refused: string, error: BrowseError): Promise<string | undefined> {
    const { text } = await optionalToken({ ...credentials, refused });
    if (text === refused || (text === undefined && hasAnswered)) throw error;
    if (text === undefined) {
      process.stderr.write("The cached token is not valid any more: searching without one.\n");
    }
    token = text;
    return text;
  }

  async function trying<T>(ask: (token: string | undefined) => Promise<T>): Promise<T> {
    const sent = token;
    const answer = await ask(sent).catch(async (error) => {
      if (!(error instanceof BrowseError && error.status === 401) || sent === undefined)
        throw error;
      return ask(await another(sent, error));
    });
    hasAnswered = true;
    return answer;
  }

  return {
    ask: (request: Omit<BrowseRequest, "token">): Promise<Response> =>
      trying((token) => browse(service, { ...request, token })),
    askJson: <T>(request: Omit<BrowseRequest, "token" | "type">): Promise<T> =>
      trying((token) => browseJson<T>(service, { ...request, token })),
  };
}
