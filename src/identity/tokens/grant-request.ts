/** The grant that a request to the token endpoint asks for (RFC 6749, 4.1.3, 4.3.2 and 6). */
import type { components } from "../../../generated/openapi.js";
import { InvalidTokenRequest } from "../errors.js";

/** Parameters as received; an empty parameter counts as missing (RFC 6749, 3.2). */
export type GrantRequest = Readonly<
  Partial<Record<keyof components["schemas"]["TokenRequest"], string | undefined>>
>;

type Wanted =
  | { readonly type: "password"; readonly username: string; readonly password: string }
  | { readonly type: "refresh"; readonly refreshToken: string }
  | {
      readonly type: "code";
      readonly code: string;
      readonly redirectUri: string;
      readonly verifier: string;
    };

export type WantedGrant<T extends Wanted["type"]> = Extract<Wanted, { readonly type: T }>;

const CODE = "authorization_code";
const TYPES = ["password", "refresh_token", CODE];

/** Determines the grant. @throws InvalidTokenRequest if the parameters do not name exactly one */
export function grantOf(request: GrantRequest): Wanted {
  const { grant_type: grantType, username, password, refresh_token: refreshToken, code } = request;
  if (grantType && !TYPES.includes(grantType)) {
    throw new InvalidTokenRequest(
      "grant_type must be password, refresh_token or authorization_code.",
      "unsupported_grant_type",
    );
  }
  if (refreshToken && (username || password)) {
    throw new InvalidTokenRequest("Give a refresh token or a user name and password, not both.");
  }
  if (grantType === CODE || code) return codeOf(request);
  if (refreshToken) {
    if (grantType === "password") {
      throw new InvalidTokenRequest(
        "grant_type is password, but there is a refresh token instead.",
      );
    }
    return { type: "refresh", refreshToken };
  }
  if (grantType === "refresh_token") {
    throw new InvalidTokenRequest("grant_type is refresh_token, but there is no refresh token.");
  }
  if (!username || !password) {
    throw new InvalidTokenRequest("Either username and password or a refresh token is needed.");
  }
  return { type: "password", username, password };
}

function codeOf(request: GrantRequest): Wanted {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = request;
  if (request.grant_type !== CODE) {
    throw new InvalidTokenRequest("With a code, grant_type must be authorization_code.");
  }
  if (request.username || request.refresh_token) {
    throw new InvalidTokenRequest("Give a code, or a user name or a refresh token, not both.");
  }
  if (!code || !redirectUri || !verifier) {
    throw new InvalidTokenRequest(
      "With grant_type authorization_code, code, redirect_uri and code_verifier are needed.",
    );
  }
  return { type: "code", code, redirectUri, verifier };
}
