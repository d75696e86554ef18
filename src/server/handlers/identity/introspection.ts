/** Token introspection (RFC 7662) and revocation (RFC 7009). */
import { issuerOf } from "../../../identity/auth.js";
import { InvalidClient } from "../../../identity/errors.js";
import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingClient } from "./calling-client.js";

/** Describes a token, for callers with a token and for clients with a secret. */
export function introspectToken({ auth }: Services): Handler<"introspectToken"> {
  return async ({ body, caller, principal, context }) => {
    if (principal === undefined) {
      const { id, confidential } = await callingClient(auth, body, caller);
      if (!confidential) throw new InvalidClient("Basic");
      context.record({ client: id });
    }
    const found = await auth.introspection.introspect(body.token, issuerOf(caller.base));
    return {
      status: 200,
      type: "application/json",
      headers: { "Cache-Control": "no-store" },
      body: found ?? { active: false },
    };
  };
}

/** Revokes a token that was issued to the calling client. */
export function revokeToken({ auth }: Services): Handler<"revokeToken"> {
  return async ({ body, caller, context }) => {
    const client = await callingClient(auth, body, caller);
    context.record({ client: client.id });
    await auth.revocation.revoke(body.token, client, issuerOf(caller.base));
    return { status: 200, headers: { "Cache-Control": "no-store" } };
  };
}
