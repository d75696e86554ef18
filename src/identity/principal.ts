import type { ClaimedAccount } from "../domain/user-data/owner.js";

/** Who a request acts for, as its access token says. */
export interface Principal {
  /** Identifies the holder at the issuer; a UUID for accounts of this service. */
  readonly sub: string;
  readonly username: string;
  /** Empty where none is known. */
  readonly email: string;
  readonly scope: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  /** Who issued the token: this service, or the outside identity provider. */
  readonly issuer: string;
  /** When the token expires, in seconds since 1970. */
  readonly expires: number;
  /** Whether it is a token for scripts, with which no others can be made. */
  readonly isScript?: true;
  /** Whether a token of the outside provider says so; accounts of this service are looked up instead. */
  readonly isAdministrator?: boolean;
  /** What a token of the outside provider says of the holder's account on the machine. */
  readonly account?: ClaimedAccount;
}
