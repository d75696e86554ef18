/** Hands grants to the outside identity provider: passwords, refresh tokens, and codes that it gave to the page. */
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { z } from "zod";
import { IdentityUnavailable, InvalidGrant, SignInBusy } from "../errors.js";
import type { Proof } from "../sign-in/authorization-codes.js";
import type { AuthorizationRequest } from "../sign-in/authorization-request.js";
import { signInSemaphore } from "../sign-in/sign-in-semaphore.js";
import type { IssuedTokens } from "../tokens/issued-tokens.js";
import type { OutsideIssuer } from "./outside-issuer.js";

export interface OutsideClient {
  readonly id: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
}

/** Milliseconds from the arrival of a request, its waiting included. */
const TIMEOUT_MS = 5000;
/** Requests to the provider at once, and requests that wait. They have permits of their own, because it may hang. */
const MAX_CALLS = 16;
const MAX_WAITING = 100;
/** Without `openid` and `offline_access` some providers give no refresh token. */
const SCOPE = "openid profile email offline_access";
/** A page keeps nothing for long; `offline_access` would be asked for each time. */
const PAGE_SCOPE = "openid profile email";

const answer = z.looseObject({
  access_token: z.string(),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
  refresh_expires_in: z.number().optional(),
  scope: z.string().optional(),
});

export class OutsideGrants {
  readonly #calls = signInSemaphore(MAX_CALLS, MAX_WAITING);
  readonly #issuer: OutsideIssuer;
  readonly #client: OutsideClient;
  readonly #clock: () => number;

  constructor(issuer: OutsideIssuer, client: OutsideClient, clock: () => number = Date.now) {
    this.#issuer = issuer;
    this.#client = client;
    this.#clock = clock;
  }

  /**
   * @param address where the request comes from
   * @returns undefined when name or password are wrong
   * @throws IdentityUnavailable
   */
  password(username: string, password: string, address: string): Promise<IssuedTokens | undefined> {
    const form = { grant_type: "password", username, password, scope: SCOPE };
    return this.#inTurn(address, username, form);
  }

  /**
   * What `password` does for a name that nobody has: it takes as long, and fails in the same way.
   *
   * @throws IdentityUnavailable
   */
  async pretend(username: string, address: string): Promise<void> {
    const nobody = { username: randomUUID(), password: randomUUID() };
    const form = { grant_type: "password", ...nobody, scope: SCOPE };
    await this.#inTurn(address, username, form);
  }

  /** @throws InvalidGrant, IdentityUnavailable */
  async refresh(token: string, address: string): Promise<IssuedTokens> {
    const form = { grant_type: "refresh_token", refresh_token: token };
    const issued = await this.#inTurn(address, "", form);
    if (issued === undefined) throw new InvalidGrant("The refresh token is not valid.");
    // A provider that does not rotate sends none back: the old one goes on.
    return issued.refreshToken === "" ? { ...issued, refreshToken: token } : issued;
  }

  /**
   * Where somebody signs in at the provider, whose answer then goes to the page.
   *
   * @throws IdentityUnavailable
   */
  async signInAddress(request: AuthorizationRequest): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.#issuer.metadata();
    if (endpoint === undefined) {
      throw new IdentityUnavailable("the provider has no authorization endpoint");
    }
    const address = new URL(endpoint);
    const { redirectUri, state, challenge, prompt } = request;
    const parameters = {
      ...{ response_type: "code", client_id: this.#client.id, redirect_uri: redirectUri },
      ...{ scope: PAGE_SCOPE, code_challenge: challenge, code_challenge_method: "S256" },
      ...{ ...(state !== undefined && { state }), ...(prompt !== undefined && { prompt }) },
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return address.href;
  }

  /**
   * Where a browser ends its session with the provider (OpenID Connect RP-Initiated Logout 1.0, 2); undefined where it has no such
   * place.
   *
   * @throws IdentityUnavailable
   */
  async signOutAddress(): Promise<string | undefined> {
    return (await this.#issuer.metadata()).end_session_endpoint;
  }

  /** @throws InvalidGrant, IdentityUnavailable */
  async code(
    { code, verifier, redirectUri }: Omit<Proof, "clientId"> & { readonly code: string },
    address: string,
  ): Promise<IssuedTokens> {
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const issued = await this.#inTurn(address, "", { ...form, code_verifier: verifier });
    if (issued === undefined) throw new InvalidGrant("The authorization code is not valid.");
    return issued;
  }

  #inTurn(
    address: string,
    name: string,
    form: Record<string, string>,
  ): Promise<IssuedTokens | undefined> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const asking = this.#calls.run({ client: [address, name] }, async () => {
      if (signal.aborted) throw new IdentityUnavailable("the provider is too slow");
      return this.#ask(form, signal);
    });
    return asking.catch((error: unknown) => {
      // The password was looked at before, so that it is a failure of the provider that counts.
      throw error instanceof SignInBusy ? new IdentityUnavailable("too many wait for it") : error;
    });
  }

  async #ask(form: Record<string, string>, signal: AbortSignal): Promise<IssuedTokens | undefined> {
    const described = await this.#issuer.metadata();
    const { token_endpoint: url } = described;
    if (url === undefined) throw new IdentityUnavailable("the provider has no token endpoint");
    const methods = described.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const { headers, body } = this.#authenticated(new URLSearchParams(form), methods);
    const { response, text } = await fetch(url, {
      method: "POST",
      headers: { ...headers, Accept: "application/json" },
      body,
      redirect: "error",
      signal,
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((cause) => {
        throw new IdentityUnavailable("the provider cannot be reached", { cause });
      });
    if (response.ok) return this.#issued(text);
    const { error } = errorOf(text);
    if (error === "invalid_grant") return undefined;
    // Our own client, or the way we ask, is wrong: nothing that the caller can mend.
    throw new IdentityUnavailable(`the provider answers ${response.status} ${error}`);
  }

  #authenticated(form: URLSearchParams, methods: readonly string[]) {
    const { id, secret } = this.#client;
    if (secret !== undefined && methods.includes("client_secret_basic")) {
      const encode = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);
      const pair = Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64");
      return { headers: { Authorization: `Basic ${pair}` }, body: form };
    }
    form.set("client_id", id);
    if (secret !== undefined) form.set("client_secret", secret);
    return { headers: {}, body: form };
  }

  #issued(text: string): IssuedTokens {
    const tokens = tokensIn(text);
    if (tokens === undefined) throw new IdentityUnavailable("the provider's answer is no token");
    const now = Math.floor(this.#clock() / 1000);
    const expires = now + (tokens.expires_in ?? 60);
    const { refresh_token: refreshToken = "", refresh_expires_in: lasts } = tokens;
    return {
      accessToken: tokens.access_token,
      expires,
      refreshToken,
      // 0 is Keycloak's way to say that there is no end.
      refreshExpires: lasts ? now + lasts : (expiryOf(refreshToken) ?? expires),
      scope: tokens.scope ?? "",
    };
  }
}

function tokensIn(text: string): z.infer<typeof answer> | undefined {
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function errorOf(text: string): { error: string } {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return { error: typeof error === "string" ? error : "" };
  } catch {
    return { error: "" };
  }
}

function expiryOf(token: string): number | undefined {
  try {
    return decodeJwt(token).exp;
  } catch {
    return undefined;
  }
}
