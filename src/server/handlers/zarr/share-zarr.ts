import { invalidParameter } from "../../../domain/errors.js";
import { NoSuchData } from "../../../files/errors.js";
import type { ZarrVersion } from "../../../files/zarr/address.js";
import { issuerOf } from "../../../identity/auth.js";
import { sharedFileAddress, sharedZarrAddress } from "../../formats/download/addresses.js";
import { uncached } from "../common/caching.js";
import { callingOwner } from "../common/client.js";
import type { Handler } from "../services.js";

/** The identifier in the address of a stream or a file, of any host, or undefined. */
export function idInAddress(address: string): string | undefined {
  const stream = /\/data-portal\/(?:zarr|share\/[^/]+)\/([^/?#]+)\.zarr3?(?:[/?#]|$)/;
  const file = /\/data-portal\/(?:share\/[^/]+\/)?files\/([^/?#]+)\//;
  return (stream.exec(address) ?? file.exec(address))?.[1];
}

/** The version of zarr in the address of a stream. */
const versionInAddress = (address: string | undefined): ZarrVersion =>
  /\.zarr3(?:[/?#]|$)/.test(address ?? "") ? 3 : 2;

/** Seconds that an address lives if the request does not say: a day. */
const LIFETIME = 86_400;

/** Makes an address that anybody can read until it expires, for data that the caller may read. */
export const shareZarr: Handler<"shareZarr"> = async (request, services) => {
  const { body, caller } = request;
  const { url, uuid, ttl_seconds: lifetime = LIFETIME } = body;
  const id = uuid ?? (url === undefined ? undefined : idInAddress(url));
  if (id === undefined || (url !== undefined && uuid !== undefined)) {
    const reason = "name the data by one of url and uuid, the url as the load operations give it";
    throw invalidParameter("url", reason, "body");
  }
  request.context.record({ dataset: id, seconds: lifetime });
  const by = callingOwner(request);
  const name = await services.access.check(`${id}.zarr`, by, request.caller);
  const expires = Math.floor(services.clock() / 1000) + lifetime;
  const share = { dataset: id, by };
  const ticket = await services.auth.shares.issue(issuerOf(caller.base), share, expires);
  return uncached({
    url: sharedZarrAddress(caller.base, ticket, id, versionInAddress(url)),
    ...(name !== undefined && { file_url: sharedFileAddress(caller.base, ticket, id, name) }),
    expires,
  });
};

/** Ends a shared address of the caller. */
export const unshareZarr: Handler<"unshareZarr"> = async (request, { auth }) => {
  const dataset = idInAddress(request.body.url);
  if (dataset !== undefined) request.context.record({ dataset });
  const [, ticket = ""] = /\/data-portal\/share\/([^/?#]+)/.exec(request.body.url) ?? [];
  if (await auth.shares.revoke(ticket, callingOwner(request))) return { status: 204 };
  throw new NoSuchData("You have no shared address of this kind.");
};
