/** Sends a request to the token endpoint of a service. */
import type { components } from "../../../generated/openapi.js";
import { AuthenticationError } from "./authentication-error.js";
import { apiAddress } from "./service-address.js";

/** Access token and refresh token, with their expiry in seconds since 1970. */
export type Token = components["schemas"]["Token"];

type Answer = Partial<Token> & { readonly detail?: string };

const TIMEOUT_MS = 60_000;

/** @throws AuthenticationError with the service's own message if it refuses */
export async function requestToken(service: string, form: Record<string, string>): Promise<Token> {
  const response = await fetch(`${apiAddress(service)}/auth/v2/token`, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { Accept: "application/json" },
    // A redirect could carry the password to another host.
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause) => {
    throw new AuthenticationError(`${service} cannot be reached (${reasonOf(cause)}).`, {
      cause,
      isTemporary: true,
    });
  });
  const body = (await response.json().catch(() => undefined)) as Answer | undefined;
  if (response.ok && typeof body?.access_token === "string") return body as Token;
  const { status } = response;
  const isTemporary = status >= 500 || status === 429;
  throw new AuthenticationError(
    response.ok || body === undefined
      ? `No climate-nextgen service answers at ${service} (HTTP ${status}).`
      : (body.detail ?? `${service} answers with HTTP ${status}.`),
    { status, isTemporary },
  );
}

/** Why a request failed: the system's error code if there is one, else the message. */
export function reasonOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name;
}
