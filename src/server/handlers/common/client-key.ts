import type { Principal } from "../../../identity/principal.js";
import { network } from "../../../identity/sign-in/network.js";
import type { Caller } from "../../contract/caller.js";

/** The key of a client for fair queues: the account, or else the network address. */
export function clientKey(request: {
  readonly caller: Pick<Caller, "address">;
  readonly principal?: Principal | undefined;
}): string {
  const { caller, principal } = request;
  if (principal === undefined) return network(caller.address);
  return JSON.stringify([principal.issuer, principal.sub]);
}
