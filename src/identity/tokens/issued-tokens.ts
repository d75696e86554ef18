import type { Holder } from "./unverified.js";

/** The answer of the token endpoint: tokens, and their scopes. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly refreshToken: string;
  /** Seconds since 1970. */
  readonly refreshExpires: number;
  readonly scope: string;
  readonly holder: Holder;
}

/** The scopes of access tokens. */
export const SCOPES = ["profile", "email"] as const;

/** The known ones of the requested scopes; all scopes if none is requested (RFC 6749, 3.3). */
export function grantedScope(wanted: string | undefined): string {
  const names = wanted?.split(" ") ?? [];
  const granted = SCOPES.filter((name) => names.includes(name));
  return (granted.length > 0 ? granted : SCOPES).join(" ");
}
