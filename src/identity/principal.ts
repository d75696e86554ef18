import type { ClaimedAccount } from "../domain/user-data/owner.js";

/** The holder of the access token of a request. */
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
  /** Set for a script token, which cannot create other tokens. */
  readonly isScript?: true;
  /** Set by a claim of the outside provider. Accounts of this service are looked up instead. */
  readonly isAdministrator?: boolean;
  /** The holder's account on this machine, from a claim of the outside provider. */
  readonly account?: ClaimedAccount;
}
