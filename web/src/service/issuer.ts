/** Requests to the issuer of tokens. */
import type { components } from "../../../generated/openapi.js";
import { PREFIX } from "../../../generated/prefix.js";
import { root } from "../address/address.js";
import { lost, reached } from "./connection.js";
import { type Problem, Refused, Unreachable } from "./problem.js";

export type Tokens = components["schemas"]["Token"];
type Metadata = components["schemas"]["IssuerMetadata"];

/** Public client of the service; its codes are sent to the page only. */
export const CLIENT = "climate-nextgen-page";

const address = (path: string): string => `${root.replace(/\/$/, "")}${PREFIX}${path}`;

async function fetchIssuer(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(address(path), init).catch((error: unknown) => {
    lost();
    throw new Unreachable(error);
  });
  reached();
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  throw new Refused(answer.status, problem, undefined);
}

const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams({ client_id: CLIENT, ...fields }),
});

/** The issuer's metadata. @throws Refused, Unreachable */
export async function issuerMetadata(): Promise<Metadata> {
  return (
    await fetchIssuer("/.well-known/oauth-authorization-server", {})
  ).json() as Promise<Metadata>;
}

/** @throws Refused, Unreachable */
export async function tokensFor(fields: Readonly<Record<string, string>>): Promise<Tokens> {
  return (await fetchIssuer("/auth/v2/token", form(fields))).json() as Promise<Tokens>;
}

/** Revokes a token. @throws Refused, Unreachable */
export async function revokeToken(token: string): Promise<void> {
  await fetchIssuer("/auth/v2/revoke", form({ token }));
}

/** The user of a token. @throws Refused, Unreachable */
export async function userOf(token: string): Promise<components["schemas"]["UserInfo"]> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetchIssuer("/auth/v2/userinfo", { headers })).json() as Promise<
    components["schemas"]["UserInfo"]
  >;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** 256 random bits. */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * SHA-256 in base64url.
 *
 * @throws TypeError without https, unless on localhost: browsers offer it in secure contexts only
 */
export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(hash));
}
