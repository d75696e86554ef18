import type { Handler } from "../../contract/operation.js";

/** Whose the access token is, and until when it is valid. */
export function tokenStatus(): Handler<"tokenStatus"> {
  return async ({ principal: { sub, expires, email } }) => ({
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "no-store" },
    body: { sub, exp: expires, email },
  });
}
