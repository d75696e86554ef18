/** The issuer's metadata and public keys. */
import { issuerOf } from "../../../identity/auth.js";
import { issuerMetadata } from "../../../identity/tokens/metadata.js";
import type { Reply, Request } from "../../contract/operation.js";
import type { Handler, Services } from "../services.js";

type Describing = (
  request: Pick<Request<"openidConfiguration">, "caller">,
  services: Services,
) => Promise<Reply<"openidConfiguration">>;

/** Describes the issuer. Two standards define three addresses for it. */
const describeIssuer: Describing = async ({ caller }, { auth: { authorization } }) => {
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

export {
  describeIssuer as authorizationServerMetadata,
  describeIssuer as authorizationServerMetadataAtRoot,
  describeIssuer as openidConfiguration,
};

/** The keys that verify access tokens. */
export const jwks: Handler<"jwks"> = async (_, { auth }) => ({
  status: 200,
  type: "application/json",
  // Short, so that clients learn of a new key soon.
  headers: { "Cache-Control": "public, max-age=60" },
  body: await auth.keys.published(),
});
