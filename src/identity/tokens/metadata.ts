/** Metadata of the service for OAuth 2.0 and OpenID Connect clients. */
import type { components } from "../../../generated/openapi.js";
import { ALGORITHM } from "../keys/keys.js";
import { SCOPES } from "./issued-tokens.js";

type IssuerMetadata = components["schemas"]["IssuerMetadata"];

/**
 * The issuer's metadata (RFC 8414, 2; OpenID Connect Discovery 1.0, 3).
 *
 * @param provider set if an outside provider answers authorization requests: the address of its sign-out, if known
 */
export function issuerMetadata(
  issuer: string,
  provider?: { readonly signOutAddress: string | undefined },
): IssuerMetadata {
  const endpoint = (name: string): string => `${issuer}/auth/v2/${name}`;
  const secrets = ["client_secret_basic", "client_secret_post"];
  return {
    issuer,
    authorization_endpoint: endpoint("authorize"),
    token_endpoint: endpoint("token"),
    revocation_endpoint: endpoint("revoke"),
    introspection_endpoint: endpoint("introspect"),
    userinfo_endpoint: endpoint("userinfo"),
    jwks_uri: endpoint("jwks"),
    ...(provider?.signOutAddress && { end_session_endpoint: provider.signOutAddress }),
    grant_types_supported: ["authorization_code", "password", "refresh_token"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    prompt_values_supported: ["none", "login"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: provider === undefined,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ALGORITHM],
    scopes_supported: [...SCOPES],
    claims_supported: ["sub", "email", "preferred_username"],
    token_endpoint_auth_methods_supported: ["none", ...secrets],
    revocation_endpoint_auth_methods_supported: ["none", ...secrets],
    introspection_endpoint_auth_methods_supported: secrets,
  };
}
