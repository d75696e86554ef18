/** The operations that describe the request's own token. */
import type { Handler } from "../../contract/operation.js";

/** Returns the holder and the expiry of the access token. */
export function tokenStatus(): Handler<"tokenStatus"> {
  return async ({ principal: { sub, expires, email } }) => ({
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "no-store" },
    body: { sub, exp: expires, email },
  });
}

/** Returns the claims about the holder of the access token. */
export function userInfo(): Handler<"userInfo"> {
  return async ({ principal: { sub, username, email } }) => ({
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "no-store" },
    body: { sub, preferred_username: username, ...(email !== "" && { email }) },
  });
}
