/** Keeps the sign-in over a reload, in one tab. Of the typed data, only the token is stored. */

const KEY = "climate-nextgen.signed-in";

/** @typedef {{ [key: string]: any }} Json */

/**
 * The part of the sign-in that requests need: no user name, password or refresh token.
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

/** The stored sign-in, unless it has expired. @returns {Json} */
export function kept() {
  try {
    const all = Object.entries(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
    const now = Date.now() / 1000;
    return Object.fromEntries(all.filter(([, { token }]) => !(token?.expires < now)));
  } catch {
    return {};
  }
}
