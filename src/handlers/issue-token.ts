import { issuerOf } from "../auth/auth.js";
import type { Handler } from "../contract/operation.js";
import { callingClient } from "./calling-client.js";
import type { Services } from "./services.js";

/** A name and a password, or a refresh token -> both tokens. */
export function issueToken({ auth }: Services): Handler<"issueToken"> {
  return async ({ body, caller }) => {
    const client = await callingClient(auth, body, caller);
    const tokens = await auth.grants.issue(
      {
        grantType: body.grant_type,
        username: body.username,
        password: body.password,
        refreshToken: body.refresh_token,
        scope: body.scope,
      },
      { client, issuer: issuerOf(caller.base), address: caller.address },
    );
    const now = Math.floor(Date.now() / 1000);
    return {
      status: 200,
      type: "application/json",
      headers: { "Cache-Control": "no-store", Pragma: "no-cache" },
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
}
