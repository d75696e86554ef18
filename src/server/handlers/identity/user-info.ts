import type { Handler } from "../../contract/operation.js";

/** The claims about the holder of the access token. */
export function userInfo(): Handler<"userInfo"> {
  return async ({ principal: { sub, username, email } }) => ({
    status: 200,
    type: "application/json",
    headers: { "Cache-Control": "no-store" },
    body: { sub, preferred_username: username, ...(email !== "" && { email }) },
  });
}
