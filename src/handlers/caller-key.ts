import type { Principal } from "../auth/principal.js";
import type { Caller } from "../contract/caller.js";

/** An IPv6 address is one of 2^64 that its owner has: what counts is the network, its first four groups. */
const network = (address: string): string =>
  address.includes(":") ? address.split(":").slice(0, 4).join(":") : address;

/** By what callers are told apart where they wait for their turn: the account, else the network address. */
export function callerKey(request: {
  readonly caller: Pick<Caller, "address">;
  readonly principal?: Principal | undefined;
}): string {
  const { caller, principal } = request;
  if (principal === undefined) return network(caller.address);
  return JSON.stringify([principal.issuer, principal.sub]);
}
