import type { Clients } from "./accounts/clients.js";
import type { Passwords } from "./accounts/passwords.js";
import { IdentityUnavailable, InvalidGrant } from "./errors.js";
import type { OutsideGrants } from "./outside/outside-grants.js";
import type { AuthorizationCodes } from "./sign-in/authorization-codes.js";
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  isReturnAddress,
  PAGE_CLIENT,
  type Refusal,
  type ReturnAddress,
  readAuthorization,
} from "./sign-in/authorization-request.js";
import type { SignInSession, SignInSessions } from "./sign-in/sign-in-sessions.js";

interface AuthorizationParts {
  readonly clients: Clients;
  readonly passwords: Passwords;
  readonly codes: AuthorizationCodes;
  readonly sessions: SignInSessions;
  readonly outside: OutsideGrants | undefined;
}

export type ReadRequest =
  /** Shown only to the person: without a trusted redirect address the client cannot be informed (RFC 6749, 4.1.2.1). */
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "refused"; readonly to: ReturnAddress; readonly refusal: Refusal }
  | { readonly kind: "asks"; readonly request: AuthorizationRequest };

export class Authorization {
  readonly #parts: AuthorizationParts;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
  }

  /** Whether an outside provider signs people in. */
  get hasProvider(): boolean {
    return this.#parts.outside !== undefined;
  }

  /**
   * Validates a request.
   *
   * @throws SolrUnavailable, SolrTimeout, ServiceBusy if the client cannot be looked up
   */
  async read(parameters: AuthorizationParameters, page: string): Promise<ReadRequest> {
    const { client_id: clientId, redirect_uri: redirectUri, state } = parameters;
    if (!clientId || !(await this.#parts.clients.mayAuthorize(clientId))) {
      return {
        kind: "unknown",
        reason: "The application that asks you to sign in is not known here.",
      };
    }
    if (!redirectUri || !isReturnAddress(clientId, redirectUri, page)) {
      const reason = "The address that you would be sent to is not one of the application's.";
      return { kind: "unknown", reason };
    }
    const to = { redirectUri, state: state || undefined };
    if (this.hasProvider && clientId !== PAGE_CLIENT) {
      const description = "Accounts are at an outside provider; please ask there.";
      return { kind: "refused", to, refusal: { error: "unauthorized_client", description } };
    }
    const read = readAuthorization(clientId, redirectUri, parameters);
    if ("error" in read) return { kind: "refused", to, refusal: read };
    return { kind: "asks", request: read };
  }

  /** The sign-in address of the outside provider; undefined without one. */
  async providerAddress(request: AuthorizationRequest): Promise<string | undefined> {
    return this.#parts.outside?.signInAddress(request);
  }

  /** The sign-out address of the outside provider; undefined if unknown. */
  async signOutAddress(): Promise<string | undefined> {
    try {
      return await this.#parts.outside?.signOutAddress();
    } catch (error) {
      // The metadata are valid without it.
      if (error instanceof IdentityUnavailable) return undefined;
      throw error;
    }
  }

  /**
   * A code for the user of an existing browser session, without asking again. Only for the page: any program on the person's
   * machine could listen at a loopback address (RFC 8252, 8.6).
   */
  async codeOfSession(request: AuthorizationRequest, cookie: string): Promise<string | undefined> {
    if (request.clientId !== PAGE_CLIENT || request.prompt === "login") return undefined;
    const session = await this.#parts.sessions.find(cookie);
    return session && this.#code(request, session);
  }

  /**
   * Signs a user in and starts a browser session.
   *
   * @param arrived when the request was complete, in milliseconds since 1970
   * @param before the browser's cookie, whose session ends
   */
  async signIn(
    request: AuthorizationRequest,
    { username, password }: { readonly username: string; readonly password: string },
    { address, arrived }: { readonly address: string; readonly arrived: number },
    before: string,
  ) {
    const { passwords, sessions } = this.#parts;
    const user = await passwords.check(username, password, address);
    if (user === undefined) throw new InvalidGrant("The user name or the password is wrong.");
    const [started] = await Promise.all([sessions.start(user, arrived), sessions.endOf(before)]);
    const { cookie, id, signedIn } = started;
    return { user, cookie, code: await this.#code(request, { id, user, signedIn }) };
  }

  #code(
    { clientId, redirectUri, challenge, scope }: AuthorizationRequest,
    { id: session, user: { sub, name: username }, signedIn }: SignInSession,
  ): Promise<string> {
    const request = { clientId, redirectUri, challenge, scope };
    return this.#parts.codes.issue({ sub, username, ...request, signedIn, session });
  }
}
