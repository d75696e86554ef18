/** Who is signed in on the page, kept over a reload: in the session of one tab, and of what was typed only the token. */

const KEY = "climate-nextgen.signed-in";

/** @typedef {{ [key: string]: any }} Json */

/**
 * Of what Swagger UI knows, what requests need: neither name and password nor the refresh token.
 *
 * @param {Json} authorized
 */
export function keep(authorized) {
  const kept = Object.entries(authorized).map(([scheme, { name, schema, value, token }]) => {
    const short = token && {
      access_token: token.access_token,
      token_type: token.token_type,
      expires: token.expires,
    };
    return [scheme, { name, schema, value, ...(short && { token: short }) }];
  });
  if (kept.length === 0) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
}

/** What was kept and has not expired. @returns {Json} */
export function kept() {
  try {
    const all = Object.entries(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
    const now = Date.now() / 1000;
    return Object.fromEntries(all.filter(([, { token }]) => !(token?.expires < now)));
  } catch {
    return {};
  }
}
