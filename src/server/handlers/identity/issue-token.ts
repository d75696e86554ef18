import { issuerOf } from "../../../identity/auth.js";
import { InvalidGrant } from "../../../identity/errors.js";
import { pageAddress } from "../../../identity/sign-in/authorization-request.js";
import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingClient } from "./calling-client.js";

/** Issues an access and a refresh token for a code, a password or a refresh token. */
export function issueToken({ auth }: Services): Handler<"issueToken"> {
  return async ({ body, caller, context }) => {
    // Taken before slow steps, such as verifying a client's secret.
    const arrived = Date.now();
    const { username, refresh_token: known, code } = body;
    context.record({ grant: grantOf(known, code) });
    const client = await callingClient(auth, body, caller);
    context.record({ client: client.id });
    const wanted = {
      grantType: body.grant_type,
      username: body.username,
      password: body.password,
      refreshToken: body.refresh_token,
      code,
      redirectUri: body.redirect_uri,
      verifier: body.code_verifier,
      scope: body.scope,
    };
    const { base, address } = caller;
    const grantContext = {
      client,
      issuer: issuerOf(base),
      address,
      arrived,
      page: pageAddress(base),
    };
    const tokens = await auth.grants.issue(wanted, grantContext).catch((error: unknown) => {
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

const grantOf = (refreshToken: string | undefined, code: string | undefined) => {
  if (refreshToken) return "refresh_token";
  return code ? "authorization_code" : "password";
};
