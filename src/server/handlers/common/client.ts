/** The caller of a request: as a client of fair queues, and as an owner of data and flavours. */
import { type Owner, ownerOf } from "../../../domain/user-data/owner.js";
import type { TimedClient } from "../../../files/zarr/worker/client.js";
import { issuerOf } from "../../../identity/auth.js";
import { MissingToken } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";
import { network } from "../../../identity/sign-in/network.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { AnyRequest } from "../../contract/operation.js";

type Called = Pick<AnyRequest, "caller" | "principal">;

/** The key of a client for fair queues: the account, or else the network address. */
export function clientKey({ caller, principal }: Called): string {
  if (principal === undefined) return network(caller.address);
  return JSON.stringify([principal.issuer, principal.sub]);
}

/** The client for which the index works, until its connection ends. */
export const clientOf = (request: Called): SearchClient => ({
  clientKey: clientKey(request),
  signal: request.caller.signal,
});

/** The client for which processes read files. Their time is charged to the request. */
export const readingClient = ({ context }: AnyRequest, key: string): TimedClient => ({
  key,
  spent: (milliseconds) => context.decoded(milliseconds),
});

/** The caller as an owner of data. */
export const callingOwner = ({
  principal,
  caller,
}: Called & { readonly principal: Principal }): Owner => ownerOf(principal, issuerOf(caller.base));

/** The caller as an owner of data. Refuses a request without a token. */
export function requireOwner(request: Called): Owner {
  const owner = owningCaller(request);
  if (owner === undefined) throw new MissingToken();
  return owner;
}

/** The caller as an owner; undefined without a token. */
export const owningCaller = ({ principal, caller }: Called): Owner | undefined =>
  principal && callingOwner({ principal, caller });
