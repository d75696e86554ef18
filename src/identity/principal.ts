/** The holder of the access token of a request. */
import type { ClaimedAccount } from "../domain/user-data/owner.js";
import type { Users } from "./accounts/users.js";

export interface Principal {
  /** Identifies the holder at the issuer; a UUID for accounts of this service. */
  readonly sub: string;
  readonly username: string;
  /** Empty if unknown. */
  readonly email: string;
  readonly scope: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  /** This service, or the outside identity provider. */
  readonly issuer: string;
  /** When the token expires, in seconds since 1970. */
  readonly expires: number;
  /** When an access token of this service was issued, in seconds since 1970. */
  readonly issuedAt?: number;
  /** Set for a script token, which cannot create other tokens. */
  readonly isScript?: true;
  /** Set by a claim of the outside provider. Accounts of this service are looked up instead. */
  readonly isAdministrator?: boolean;
  /** The holder's account on this machine, from a claim of the outside provider. */
  readonly account?: ClaimedAccount;
}

/**
 * Whether the principal is an administrator. An account of this service is looked up each time, so a withdrawn right ends at
 * once. For others the token decides, as long as it is valid.
 */
export async function isAdministrator(
  principal: Principal,
  issuer: string,
  users: Users,
): Promise<boolean> {
  if (principal.issuer !== issuer) return principal.isAdministrator === true;
  const account = await users.current(principal.username);
  return account?.sub === principal.sub && account.administrator === true && !account.disabled;
}
