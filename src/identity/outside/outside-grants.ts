/** Forwards grants to the outside identity provider: passwords, refresh tokens, and authorization codes of the page. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { IdentityUnavailable, InvalidGrant, SignInBusy } from "../errors.js";
import { invalidCode, type Proof } from "../sign-in/authorization-codes.js";
import type { AuthorizationRequest } from "../sign-in/authorization-request.js";
import { signInSemaphore } from "../sign-in/sign-in-semaphore.js";
import type { IssuedTokens } from "../tokens/issued-tokens.js";
import { holderOf, unverifiedClaims } from "../tokens/unverified.js";
import type { OutsideIssuer } from "./outside-issuer.js";
import { requestProvider } from "./provider-request.js";

export interface OutsideClient {
  readonly id: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
}

/** Milliseconds for a request to the provider, including its time in the queue. */
const TIMEOUT_MS = 5000;
/** Concurrent and waiting requests. Their permits are separate from those of local passwords, because the provider may hang. */
const MAX_CALLS = 16;
const MAX_WAITING = 100;
/** Some providers give a refresh token only for `openid` and `offline_access`. */
const SCOPE = "openid profile email offline_access";
/** The page keeps no refresh token, and for `offline_access` providers ask the user for consent each time. */
const PAGE_SCOPE = "openid profile email";

/** Seconds for which clients may try a refresh token whose end is unknown: a year. The provider refuses it once it has ended. */
const UNKNOWN_LIFETIME = 365 * 86_400;

/** The answer of a token endpoint (RFC 6749, 5.1; `refresh_expires_in` is Keycloak's). */
const tokenAnswer = z.looseObject({
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

  /** @returns undefined if name or password is wrong */
  password(username: string, password: string, address: string): Promise<IssuedTokens | undefined> {
    const form = { grant_type: "password", username, password, scope: SCOPE };
    return this.#inTurn(address, username, form);
  }

  /** Takes as long as `password` and fails in the same way, so that callers cannot tell which names exist. */
  async pretend(username: string, address: string): Promise<void> {
    const nobody = { username: randomUUID(), password: randomUUID() };
    const form = { grant_type: "password", ...nobody, scope: SCOPE };
    await this.#inTurn(address, username, form);
  }

  async refresh(token: string, address: string): Promise<IssuedTokens> {
    const form = { grant_type: "refresh_token", refresh_token: token };
    const issued = await this.#inTurn(address, "", form);
    if (issued === undefined) throw new InvalidGrant("The refresh token is not valid.");
    // Providers without rotation send no new refresh token: the old one stays valid.
    if (issued.refreshToken !== "") return issued;
    return { ...issued, refreshToken: token, refreshExpires: this.#endOf(token, 0) };
  }

  /** The address at which a user signs in at the provider, which then redirects to the page. */
  async signInAddress(request: AuthorizationRequest): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.#issuer.metadata();
    if (endpoint === undefined) {
      throw new IdentityUnavailable("the provider has no authorization endpoint");
    }
    const address = new URL(endpoint);
    const { redirectUri, state, challenge, prompt } = request;
    const parameters = {
      response_type: "code",
      client_id: this.#client.id,
      redirect_uri: redirectUri,
      scope: PAGE_SCOPE,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...(state !== undefined && { state }),
      ...(prompt !== undefined && { prompt }),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return address.href;
  }

  /**
   * The address at which a browser ends its session with the provider (OpenID Connect RP-Initiated Logout 1.0, 2), if there is one.
   */
  async signOutAddress(): Promise<string | undefined> {
    return (await this.#issuer.metadata()).end_session_endpoint;
  }

  async code(
    { code, verifier, redirectUri }: Omit<Proof, "clientId"> & { readonly code: string },
    address: string,
  ): Promise<IssuedTokens> {
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const issued = await this.#inTurn(address, "", { ...form, code_verifier: verifier });
    if (issued === undefined) throw invalidCode();
    return issued;
  }

  #inTurn(
    address: string,
    name: string,
    form: Record<string, string>,
  ): Promise<IssuedTokens | undefined> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = this.#calls.run({ client: [address, name] }, async () => {
      if (signal.aborted) throw new IdentityUnavailable("the provider is too slow");
      return this.#ask(form, signal);
    });
    return answer.catch((error: unknown) => {
      // Reported as a failure of the provider: the local accounts, whose queue SignInBusy is about, were checked before.
      throw error instanceof SignInBusy ? new IdentityUnavailable("too many wait for it") : error;
    });
  }

  async #ask(form: Record<string, string>, signal: AbortSignal): Promise<IssuedTokens | undefined> {
    const described = await this.#issuer.metadata();
    const { token_endpoint: url } = described;
    if (url === undefined) throw new IdentityUnavailable("the provider has no token endpoint");
    const methods = described.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const { headers, body } = this.#authenticated(new URLSearchParams(form), methods);
    const { isOk, status, text } = await requestProvider(url, {
      method: "POST",
      headers: { ...headers, Accept: "application/json" },
      body,
      signal,
    }).catch((cause) => {
      throw new IdentityUnavailable("the provider cannot be reached", { cause });
    });
    const json = parsed(text);
    if (isOk) return this.#issued(json);
    const { error } = z
      .looseObject({ error: z.string().catch("") })
      .catch({ error: "" })
      .parse(json);
    if (error === "invalid_grant") return undefined;
    // Our own client or request is wrong, which the caller cannot repair.
    throw new IdentityUnavailable(`the provider answers ${status} ${error}`);
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

  #seconds(): number {
    return Math.floor(this.#clock() / 1000);
  }

  /**
   * When a refresh token ends, in seconds since 1970. A provider need not say that; Keycloak says 0 for one that never does.
   *
   * @param lasts seconds; 0 if unknown
   */
  #endOf(refreshToken: string, lasts: number): number {
    if (lasts > 0) return this.#seconds() + lasts;
    // It may be a JWT.
    return unverifiedClaims(refreshToken).exp ?? this.#seconds() + UNKNOWN_LIFETIME;
  }

  #issued(json: unknown): IssuedTokens {
    const { data: tokens } = tokenAnswer.safeParse(json);
    if (tokens === undefined) throw new IdentityUnavailable("the provider's answer is not a token");
    const expires = this.#seconds() + (tokens.expires_in ?? 60);
    const { refresh_token: refreshToken = "", refresh_expires_in: lasts = 0 } = tokens;
    return {
      accessToken: tokens.access_token,
      expires,
      refreshToken,
      refreshExpires: refreshToken === "" ? expires : this.#endOf(refreshToken, lasts),
      scope: tokens.scope ?? "",
      holder: holderOf(tokens.access_token),
    };
  }
}

/** @returns undefined if the text is not JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
