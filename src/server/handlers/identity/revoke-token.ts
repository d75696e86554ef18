import { issuerOf } from "../../../identity/auth.js";
import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingClient } from "./calling-client.js";

/** Ends a token of the client that asks. */
export function revokeToken({ auth }: Services): Handler<"revokeToken"> {
  return async ({ body, caller, exchange }) => {
    const client = await callingClient(auth, body, caller);
    exchange.tells({ client: client.id });
    await auth.revocation.revoke(body.token, client, issuerOf(caller.base));
    return { status: 200, headers: { "Cache-Control": "no-store" } };
  };
}
