import { issuerOf } from "../../../identity/auth.js";
import { InvalidClient } from "../../../identity/errors.js";
import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingClient } from "./calling-client.js";

/** What a token is worth, for the holder of a token or for a client that shows its secret. */
export function introspectToken({ auth }: Services): Handler<"introspectToken"> {
  return async ({ body, caller, principal, exchange }) => {
    if (principal === undefined) {
      const { id, confidential } = await callingClient(auth, body, caller);
      if (!confidential) throw new InvalidClient("Basic");
      exchange.tells({ client: id });
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
