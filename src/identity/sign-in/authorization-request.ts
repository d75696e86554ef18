/** Authorization requests: their parameters and the addresses of their answers (RFC 6749, 4.1.1; RFC 7636; RFC 9207). */
import { grantedScope } from "../tokens/issued-tokens.js";

/** The client of the service's own page: public, and not replaced by a registered client of this name. */
export const PAGE_CLIENT = "climate-nextgen-page";
/** The path at which the page receives codes. */
const PAGE_PATH = "/account";

/** The only redirect URI of the page. @param base the service's own address */
export const pageAddress = (base: string): string => base + PAGE_PATH;

/** Unchecked parameters. An empty one counts as left out (RFC 6749, 3.1). */
export interface AuthorizationParameters {
  readonly response_type?: string | undefined;
  readonly response_mode?: string | undefined;
  readonly client_id?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
  readonly prompt?: string | undefined;
}

/** The address that the answer is sent to. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export interface AuthorizationRequest extends ReturnAddress {
  readonly clientId: string;
  readonly scope: string;
  /** SHA-256 of the verifier, in base64url. */
  readonly challenge: string;
  readonly prompt: "none" | "login" | undefined;
}

/** The codes of RFC 6749, 4.1.2.1, and OpenID Connect Core 1.0, 3.1.2.6. */
type AuthorizationError =
  | "invalid_request"
  | "unsupported_response_type"
  | "unauthorized_client"
  | "access_denied"
  | "login_required"
  | "temporarily_unavailable";

/** An error response, sent to the client's redirect URI. */
export interface Refusal {
  readonly error: AuthorizationError;
  readonly description: string;
}

const CHALLENGE = /^[\w-]{43}$/;
/**
 * Redirect URIs of programs on the user's machine, at any port (RFC 8252, 7.3). Not `localhost`: a name may resolve
 * elsewhere.
 */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):([1-9]\d{0,4})\/callback$/;

/** Whether an address is a redirect URI of a client: the page has its own, registered clients use loopback addresses. */
export function isReturnAddress(clientId: string, address: string, page: string): boolean {
  if (clientId === PAGE_CLIENT) return address === page;
  return Number(LOOPBACK.exec(address)?.[1] ?? 65_536) < 65_536;
}

/** Validates a request whose client and redirect URI have been checked. */
export function readAuthorization(
  clientId: string,
  redirectUri: string,
  parameters: AuthorizationParameters,
): AuthorizationRequest | Refusal {
  const { code_challenge: challenge, code_challenge_method: method, prompt } = parameters;
  const invalid = (description: string): Refusal => ({ error: "invalid_request", description });
  if (!parameters.response_type) return invalid("response_type is missing; it must be code.");
  if (parameters.response_type !== "code") {
    return { error: "unsupported_response_type", description: "response_type must be code." };
  }
  if (parameters.response_mode && parameters.response_mode !== "query") {
    return invalid("response_mode must be query.");
  }
  if (!challenge) return invalid("code_challenge is missing (RFC 7636).");
  // The default method, `plain`, does not protect against anyone who sees the request.
  if (method !== "S256") return invalid("code_challenge_method must be S256.");
  if (!CHALLENGE.test(challenge)) return invalid("code_challenge is not the hash of a verifier.");
  if (prompt && prompt !== "none" && prompt !== "login") {
    return invalid("prompt must be none or login.");
  }
  return {
    clientId,
    redirectUri,
    challenge,
    scope: grantedScope(parameters.scope),
    state: parameters.state || undefined,
    prompt: prompt === "none" || prompt === "login" ? prompt : undefined,
  };
}

/** The redirect URI with the answer as parameters. @param issuer this service (RFC 9207) */
export function answerAddress(
  { redirectUri, state }: ReturnAddress,
  issuer: string,
  answer: { readonly code: string } | Refusal,
): string {
  const address = new URL(redirectUri);
  if ("code" in answer) address.searchParams.set("code", answer.code);
  else {
    address.searchParams.set("error", answer.error);
    address.searchParams.set("error_description", answer.description);
  }
  if (state !== undefined) address.searchParams.set("state", state);
  address.searchParams.set("iss", issuer);
  return address.href;
}
