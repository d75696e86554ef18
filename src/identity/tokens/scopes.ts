/** The scopes of access tokens. */
export const SCOPES = ["profile", "email"] as const;

/** The known ones of the requested scopes; all scopes if none is requested (RFC 6749, 3.3). */
export function grantedScope(wanted: string | undefined): string {
  const names = wanted?.split(" ") ?? [];
  const granted = SCOPES.filter((name) => names.includes(name));
  return (granted.length > 0 ? granted : SCOPES).join(" ");
}
