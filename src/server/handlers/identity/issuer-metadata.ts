import { issuerOf } from "../../../identity/auth.js";
import { issuerMetadata } from "../../../identity/tokens/metadata.js";
import type { Reply, Request } from "../../contract/operation.js";
import type { Services } from "../services.js";

/** The issuer's metadata; of several operations, as two standards want it in three places. */
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
