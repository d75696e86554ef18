/** The operations that describe the token of the request: its validity, and its holder. */
import type { Handler } from "../../contract/operation.js";

/** Tells the holder and the end of the access token. */
export function tokenStatus(): Handler<"tokenStatus"> {
  return async ({ principal: { sub, expires, email } }) => ({
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "no-store" },
    body: { sub, exp: expires, email },
  });
}

/** The claims about the holder of the access token. */
export function userInfo(): Handler<"userInfo"> {
  return async ({ principal: { sub, username, email } }) => ({
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "no-store" },
    body: { sub, preferred_username: username, ...(email !== "" && { email }) },
  });
}
