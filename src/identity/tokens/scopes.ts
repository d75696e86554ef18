/** What an access token may be used for; there is nothing finer yet. */
export const SCOPES = ["profile", "email"] as const;

/** The wanted scopes as far as there are such, all where nothing is wanted (RFC 6749, 3.3). */
export function grantedScope(wanted: string | undefined): string {
  const names = wanted?.split(" ") ?? [];
  const granted = SCOPES.filter((name) => names.includes(name));
  return (granted.length > 0 ? granted : SCOPES).join(" ");
}
