/** The issuer's metadata and public keys. */
import { issuerOf } from "../../../identity/auth.js";
import { issuerMetadata } from "../../../identity/tokens/metadata.js";
import type { Handler, Reply, Request } from "../../contract/operation.js";
import type { Services } from "../services.js";

/** Describes the issuer. Two standards define three addresses for it, so several operations share this. */
export function describeIssuer({ auth }: Services) {
  return async ({
    caller,
  }: Pick<Request<"openidConfiguration">, "caller">): Promise<Reply<"openidConfiguration">> => {
    const { authorization } = auth;
    const provider = authorization.hasProvider
      ? { signOutAddress: await authorization.signOutAddress() }
      : undefined;
    return {
      status: 200,
      type: "application/json",
      headers: { "Cache-Control": "public, max-age=300" },
      body: issuerMetadata(issuerOf(caller.base), provider),
    };
  };
}

/** The keys that verify access tokens. */
export function jwks({ auth }: Services): Handler<"jwks"> {
  return async () => ({
    status: 200,
    type: "application/json",
    // Short, so that clients learn of a new key soon.
    headers: { "Cache-Control": "public, max-age=60" },
    body: await auth.keys.published(),
  });
}
