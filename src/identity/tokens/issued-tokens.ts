/** The tokens that the token endpoint issues. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly refreshToken: string;
  /** Seconds since 1970. */
  readonly refreshExpires: number;
  readonly scope: string;
}
