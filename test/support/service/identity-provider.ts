/** A real OpenID provider (npm oidc-provider) that also has the password grant. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
// It has no types of its own.
// @ts-expect-error
import { Provider } from "oidc-provider";
import { freePort } from "../network/free-port.js";
import { use } from "../run/use.js";

export interface IdentityProvider {
  readonly issuer: string;
  readonly discoveryUrl: string;
  /** The settings of a service whose accounts are there. */
  readonly outside: {
    readonly discoveryUrl: string;
    readonly audience: string;
    readonly client: { readonly id: string; readonly secret: string };
  };
  /** Requests to its key set. */
  readonly keyRequests: () => number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const CLIENT = { id: "climate", secret: "climate-secret" };
export const AUDIENCE = "urn:climate-data";
export const USERS: Record<string, string> = { olga: "olga's password" };

interface GrantContext {
  oidc: {
    client: { clientId: string };
    params: Record<string, string>;
    session: { accountId: string };
    entity(name: string, value: unknown): void;
  };
  body: unknown;
  path: string;
  req: IncomingMessage;
  res: ServerResponse;
}

/** The path of its sign-in page, which signs everybody in as olga. */
const ASKS = "/interaction/";

/**
 * @param claims what its access tokens have besides, when they are issued
 * @param redirectUris where its codes may go; without any there is no code flow
 */
export async function startProvider(
  claims: () => object = () => ({}),
  redirectUris: readonly string[] = [],
): Promise<IdentityProvider> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        ...(redirectUris.length > 0
          ? { grant_types: ["password", "refresh_token", "authorization_code"] }
          : { grant_types: ["password", "refresh_token"] }),
        redirect_uris: redirectUris,
        response_types: redirectUris.length > 0 ? ["code"] : [],
      },
    ],
    scopes: ["openid", "profile", "email", "offline_access"],
    features: {
      devInteractions: { enabled: false },
      // The pages of the package load fonts from other hosts.
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: unknown }, form: string) => {
          context.body = `<!doctype html>${form}
<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`;
        },
        postLogoutSuccessSource: (context: { body: unknown }) => {
          context.body = "<!doctype html><h1>Sign-out success</h1>";
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "profile email",
          audience: AUDIENCE,
          accessTokenTTL: 300,
          accessTokenFormat: "jwt",
        }),
      },
    },
    extraTokenClaims: (_: unknown, token: { accountId: string }) => ({
      preferred_username: token.accountId,
      email: `${token.accountId}@id.example.org`,
      realm_access: { roles: ["reader", "climate-admin"] },
      ...claims(),
    }),
    rotateRefreshToken: true,
    interactions: { url: (_: unknown, { uid }: { uid: string }) => ASKS + uid },
    loadExistingGrant: (context: GrantContext) => grantAll(provider, context),
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  provider.registerGrantType(
    "password",
    (...args: unknown[]) => passwordGrant(provider, args.find(isContext) as GrantContext),
    ["username", "password", "scope"],
  );
  let asked = 0;
  provider.use((context: GrantContext, next: () => Promise<void>) => {
    if (context.path === "/jwks") asked += 1;
    if (!context.path.startsWith(ASKS)) return next();
    const { req, res } = context;
    return provider.interactionFinished(req, res, { login: { accountId: "olga" } });
  });
  const port = Number(new URL(issuer).port);
  let server: Server = provider.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    issuer,
    discoveryUrl,
    outside: { discoveryUrl, audience: AUDIENCE, client: CLIENT },
    keyRequests: () => asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    start: async () => {
      server = provider.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  };
}

/** One for all tests of a file. @param redirectUris are read when it starts */
export const useProvider = (
  claims?: () => object,
  redirectUris: () => readonly string[] = () => [],
): IdentityProvider =>
  use(
    () => startProvider(claims, redirectUris()),
    (provider) => provider.stop(),
  );

const isContext = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "oidc" in value;

/** A grant of everything. */
function newGrant(provider: Provider, accountId: string, clientId: string) {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope("openid profile email offline_access");
  grant.addResourceScope(AUDIENCE, "profile email");
  return grant;
}

/** Grants everything without consent. */
async function grantAll(provider: Provider, { oidc }: GrantContext) {
  const grant = newGrant(provider, oidc.session.accountId, oidc.client.clientId);
  await grant.save();
  return grant;
}

async function passwordGrant(provider: Provider, context: GrantContext): Promise<void> {
  const { client, params } = context.oidc;
  const { username = "", password = "" } = params;
  if (USERS[username] === undefined || USERS[username] !== password) {
    const { errors } = await import("oidc-provider" as string);
    throw new errors.InvalidGrant("wrong name or password");
  }
  const grantId = await newGrant(provider, username, client.clientId).save();
  const common = { accountId: username, client, grantId, gty: "password" };
  const token = new provider.AccessToken({ ...common, scope: "profile email" });
  token.resourceServer = new provider.ResourceServer(AUDIENCE, {
    scope: "profile email",
    audience: AUDIENCE,
    accessTokenTTL: 300,
    accessTokenFormat: "jwt",
  });
  const refresh = new provider.RefreshToken({
    ...common,
    scope: "openid profile email offline_access",
    resource: AUDIENCE,
  });
  context.oidc.entity("Client", client);
  context.body = {
    access_token: await token.save(),
    refresh_token: await refresh.save(),
    token_type: "Bearer",
    expires_in: 300,
    scope: "profile email",
  };
}
