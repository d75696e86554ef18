/** What the service says of itself to OAuth 2.0 and OpenID Connect clients. */
import type { components } from "../../generated/openapi.js";
import { SCOPES } from "./grants.js";
import { ALGORITHM } from "./keys.js";

type IssuerMetadata = components["schemas"]["IssuerMetadata"];

/** The issuer's metadata (RFC 8414, 2; OpenID Connect Discovery 1.0, 3). */
export function issuerMetadata(issuer: string): IssuerMetadata {
  const endpoint = (name: string): string => `${issuer}/auth/v2/${name}`;
  const secrets = ["client_secret_basic", "client_secret_post"];
  return {
    issuer,
    token_endpoint: endpoint("token"),
    revocation_endpoint: endpoint("revoke"),
    introspection_endpoint: endpoint("introspect"),
    userinfo_endpoint: endpoint("userinfo"),
    jwks_uri: endpoint("jwks"),
    grant_types_supported: ["password", "refresh_token"],
    // The member is required. There is no authorization endpoint, which it would speak of.
    response_types_supported: ["none"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ALGORITHM],
    scopes_supported: [...SCOPES],
    claims_supported: ["sub", "email", "preferred_username"],
    token_endpoint_auth_methods_supported: ["none", ...secrets],
    revocation_endpoint_auth_methods_supported: ["none", ...secrets],
    introspection_endpoint_auth_methods_supported: secrets,
  };
}
