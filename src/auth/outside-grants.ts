/** Hands the password and refresh grants to the outside identity provider. */
import { decodeJwt } from "jose";
import { z } from "zod";
import { IdentityUnavailable, InvalidGrant } from "../errors.js";
import type { IssuedTokens } from "./grants.js";
import type { OutsideIssuer } from "./outside-issuer.js";

export interface OutsideClient {
  readonly id: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
}

const TIMEOUT_MS = 10_000;
/** Without `openid` and `offline_access` some providers give no refresh token. */
const SCOPE = "openid profile email offline_access";

const answer = z.looseObject({
  access_token: z.string(),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
  refresh_expires_in: z.number().optional(),
  scope: z.string().optional(),
});

export class OutsideGrants {
  constructor(
    private readonly issuer: OutsideIssuer,
    private readonly client: OutsideClient,
    private readonly clock: () => number = Date.now,
  ) {}

  /** @returns undefined when name or password are wrong. @throws IdentityUnavailable */
  async password(username: string, password: string): Promise<IssuedTokens | undefined> {
    return this.#ask({ grant_type: "password", username, password, scope: SCOPE });
  }

  /** @throws InvalidGrant, IdentityUnavailable */
  async refresh(token: string): Promise<IssuedTokens> {
    const issued = await this.#ask({ grant_type: "refresh_token", refresh_token: token });
    if (issued === undefined) throw new InvalidGrant("The refresh token is not valid.");
    // A provider that does not rotate sends none back: the old one goes on.
    return issued.refreshToken === "" ? { ...issued, refreshToken: token } : issued;
  }

  async #ask(form: Record<string, string>): Promise<IssuedTokens | undefined> {
    const described = await this.issuer.metadata();
    const { token_endpoint: url } = described;
    if (url === undefined) throw new IdentityUnavailable("the provider has no token endpoint");
    const methods = described.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const { headers, body } = this.#authenticated(new URLSearchParams(form), methods);
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, Accept: "application/json" },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause) => {
      throw new IdentityUnavailable("the provider cannot be reached", { cause });
    });
    const text = await response.text();
    if (response.ok) return this.#issued(text);
    const { error } = errorOf(text);
    if (error === "invalid_grant") return undefined;
    // Our own client, or the way we ask, is wrong: nothing that the caller can mend.
    throw new IdentityUnavailable(`the provider answers ${response.status} ${error}`);
  }

  #authenticated(form: URLSearchParams, methods: readonly string[]) {
    const { id, secret } = this.client;
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
    const parsed = answer.safeParse(JSON.parse(text));
    if (!parsed.success) {
      throw new IdentityUnavailable("the provider's answer is no token", { cause: parsed.error });
    }
    const tokens = parsed.data;
    const now = Math.floor(this.clock() / 1000);
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
