import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";

/** The keys that verify access tokens. */
export function jwks({ auth }: Services): Handler<"jwks"> {
  return async () => ({
    status: 200,
    type: "application/json",
    // Short, so that a new key is known soon after a rotation.
    headers: { "Cache-Control": "public, max-age=60" },
    body: await auth.keys.published(),
  });
}
