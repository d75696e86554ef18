/** Tokens: issue, describe (RFC 7662) and revoke them (RFC 7009); and the metadata of their issuer. */
import type { Client } from "../../../identity/accounts/clients.js";
import { type Auth, issuerOf } from "../../../identity/auth.js";
import { InvalidClient, InvalidGrant, InvalidTokenRequest } from "../../../identity/errors.js";
import { pageAddress } from "../../../identity/sign-in/authorization-request.js";
import { issuerMetadata } from "../../../identity/tokens/metadata.js";
import type { Caller } from "../../contract/caller.js";
import type { Reply, Request } from "../../contract/operation.js";
import { NO_STORE, uncached } from "../common/caching.js";
import type { Handler, Services } from "../services.js";

interface ClientForm {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** Authenticates the client by id and secret, in the form or in HTTP Basic authentication (RFC 6749, 2.3.1). */
async function callingClient(auth: Auth, form: ClientForm, caller: Caller): Promise<Client> {
  const { client_id: id, client_secret: secret } = form;
  if (caller.basic === undefined) return auth.clients.authenticate({ id, secret, basic: false });
  if (secret || (id && id !== caller.basic.id)) {
    throw new InvalidTokenRequest("The client shows itself in two ways; one is enough.");
  }
  return auth.clients.authenticate({ ...caller.basic, basic: true });
}

export const issueToken: Handler<"issueToken"> = async ({ body, caller, context }, { auth }) => {
  // Taken before slow steps, such as verifying a client's secret.
  const arrived = Date.now();
  const { username } = body;
  context.record({ grant: grantOf(body.refresh_token, body.code) });
  const client = await callingClient(auth, body, caller);
  context.record({ client: client.id });
  const { base, address } = caller;
  const grantContext = {
    client,
    issuer: issuerOf(base),
    address,
    arrived,
    page: pageAddress(base),
  };
  const tokens = await auth.grants.issue(body, grantContext).catch((error: unknown) => {
    // Only counted attempts are recorded, so that nobody can fill the audit with names.
    if (error instanceof InvalidGrant && username) context.record({ name: username });
    throw error;
  });
  const { holder } = tokens;
  context.record({ holder: { ...holder, name: holder.name || (username ?? "") } });
  const now = Math.floor(Date.now() / 1000);
  return {
    status: 200,
    type: "application/json",
    headers: { ...NO_STORE, Pragma: "no-cache" },
    body: {
      access_token: tokens.accessToken,
      token_type: "Bearer",
      expires: tokens.expires,
      expires_in: Math.max(0, tokens.expires - now),
      refresh_token: tokens.refreshToken,
      refresh_expires: tokens.refreshExpires,
      refresh_expires_in: Math.max(0, tokens.refreshExpires - now),
      scope: tokens.scope,
    },
  };
};

const grantOf = (refreshToken: string | undefined, code: string | undefined) => {
  if (refreshToken) return "refresh_token";
  return code ? "authorization_code" : "password";
};

/** Describes a token, for callers with a token and for clients with a secret. */
export const introspectToken: Handler<"introspectToken"> = async (request, { auth }) => {
  const { body, caller, principal, context } = request;
  if (principal === undefined) {
    const { id, confidential } = await callingClient(auth, body, caller);
    if (!confidential) throw new InvalidClient("Basic");
    context.record({ client: id });
  }
  const found = await auth.introspect(body.token, issuerOf(caller.base));
  return uncached(found ?? { active: false });
};

/** Revokes a token that was issued to the calling client. */
export const revokeToken: Handler<"revokeToken"> = async ({ body, caller, context }, { auth }) => {
  const client = await callingClient(auth, body, caller);
  context.record({ client: client.id });
  await auth.revoke(body.token, client, issuerOf(caller.base));
  return { status: 200, headers: NO_STORE };
};

/** The holder and the expiry of the request's own token. */
export const tokenStatus: Handler<"tokenStatus"> = async ({ principal: { sub, expires, email } }) =>
  uncached({ sub, exp: expires, email });

/** The claims about the holder of the request's own token. */
export const userInfo: Handler<"userInfo"> = async ({ principal: { sub, username, email } }) =>
  uncached({ sub, preferred_username: username, ...(email !== "" && { email }) });

type Describing = (
  request: Pick<Request<"openidConfiguration">, "caller">,
  services: Services,
) => Promise<Reply<"openidConfiguration">>;

/** Describes the issuer. Two standards define three addresses for it. */
const describeIssuer: Describing = async ({ caller }, { auth: { authorization } }) => {
  const provider = authorization.hasProvider
    ? { signOutAddress: await authorization.signOutAddress() }
    : undefined;
  return {
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "public, max-age=300" },
    body: issuerMetadata(issuerOf(caller.base), provider),
  };
};

export {
  describeIssuer as authorizationServerMetadata,
  describeIssuer as authorizationServerMetadataAtRoot,
  describeIssuer as openidConfiguration,
};

/** The keys that verify access tokens. */
export const jwks: Handler<"jwks"> = async (_, { auth }) => ({
  status: 200,
  type: "application/json",
  // Short, so that clients learn of a new key soon.
  headers: { "Cache-Control": "public, max-age=60" },
  body: await auth.keys.published(),
});
