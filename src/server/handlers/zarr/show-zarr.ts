/** Shows data sets to people: their pages, shared addresses of them, and the plans of joined stores. */

import { invalidParameter } from "../../../domain/errors.js";
import { NoSuchData } from "../../../files/errors.js";
import { idOf, versionOf, type ZarrVersion } from "../../../files/zarr/address.js";
import type { JoinReport } from "../../../files/zarr/join/plan/planned.js";
import { issuerOf } from "../../../identity/auth.js";
import { UnreadableData } from "../../access/reading-errors.js";
import type { AnyRequest } from "../../contract/operation.js";
import {
  sharedFileAddress,
  sharedZarrAddress,
  zarrAddress,
} from "../../formats/download/addresses.js";
import {
  DATASET_PAGE_FIELDS,
  DATASET_PAGE_POLICY,
  datasetPage,
} from "../../formats/pages/dataset-page.js";
import { JOIN_PAGE_POLICY, joinPage } from "../../formats/pages/join-page.js";
import { PRIVATE, uncached } from "../common/caching.js";
import { callingOwner } from "../common/client.js";
import { beginReading, beginSharedReading, type Reading, SHARE_HINT } from "../files/reading.js";
import type { Handler, Services } from "../services.js";

/** @param address of the stream. @param needsToken whether a token is needed there */
async function page(
  { reader, client }: Reading,
  id: string,
  address: string,
  needsToken: boolean,
  request: AnyRequest,
  { access }: Services,
) {
  const store = `${id}.zarr`;
  const summary = await access.read(store, reader, request.caller, (dataset) =>
    dataset.summary(client),
  );
  const document = await access.describe(store, DATASET_PAGE_FIELDS, request.caller);
  return {
    status: 200,
    type: "text/html",
    headers: { ...PRIVATE, "Content-Security-Policy": DATASET_PAGE_POLICY },
    body: datasetPage(document, summary, address, needsToken),
  } as const;
}

async function readersPage(store: string, request: AnyRequest, services: Services) {
  const id = idOf(store);
  const { principal, caller } = request;
  const reading = await beginReading(id, request, services, SHARE_HINT);
  const address = zarrAddress(caller.base, id, versionOf(store));
  return page(reading, id, address, principal !== undefined, request, services);
}

export const showZarr: Handler<"showZarr"> = (request, services) =>
  readersPage(request.path.store, request, services);

/** The same page, by the address of the stream. */
export const showZarrOfAddress: Handler<"showZarrOfAddress"> = async (request, services) => {
  const id = idInAddress(request.query.url);
  if (id === undefined) throw new NoSuchData("This is not the address of a zarr stream.");
  return readersPage(id, request, services);
};

/** The same page by the ticket of a share, for browsers, which cannot send a token. */
export const showSharedZarr: Handler<"showSharedZarr"> = async (request, services) => {
  const { path, caller } = request;
  const reading = await beginSharedReading(path, request, services);
  const id = idOf(path.store);
  const address = sharedZarrAddress(caller.base, path.ticket, id, versionOf(path.store));
  return page(reading, id, address, false, request, services);
};

const PLAN_HEADERS = { ...PRIVATE, Vary: "Accept" };

/** Shows how the files of a joined store are joined, or why they are not. */
export const showJoinPlan: Handler<"showJoinPlan"> = async (request, services) => {
  const { store } = request.path;
  const { reader } = await beginReading(idOf(store), request, services);
  const plan = await services.access
    .joined(store, reader, request.caller, async (dataset) => {
      // The names of files are for those who may read all of them.
      await dataset.documents();
      return { state: "joined" as const, ...plain(dataset.plan.report) };
    })
    .catch((error: unknown) => {
      const isRefused = error instanceof UnreadableData && error.kind === "cannot-join";
      if (isRefused) return { state: "refused" as const, reason: error.message };
      throw error;
    });
  if (!request.caller.wantsPage) {
    return { status: 200, type: "application/json", headers: PLAN_HEADERS, body: plan };
  }
  const headers = { ...PLAN_HEADERS, "Content-Security-Policy": JOIN_PAGE_POLICY };
  return { status: 200, type: "text/html", headers, body: joinPage(plan) };
};

/** The same with lists that may be changed, as the contract's types have them. */
const plain = ({ axis, members, files, arrays, gaps, overlaps, notes }: JoinReport) => ({
  axis,
  members: [...members],
  files: [...files],
  arrays: arrays.map((one) => ({ ...one, reasons: [...one.reasons] })),
  gaps: [...gaps],
  overlaps: [...overlaps],
  notes: [...notes],
});

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
