/** Shows data sets to people: their pages, and the plans of joined stores. */
import { NoSuchData } from "../../../files/errors.js";
import { idOf, versionOf } from "../../../files/zarr/address.js";
import type { JoinReport } from "../../../files/zarr/join/plan/planned.js";
import { UnreadableData } from "../../access/reading-errors.js";
import type { AnyRequest } from "../../contract/operation.js";
import { sharedZarrAddress, zarrAddress } from "../../formats/download/addresses.js";
import {
  DATASET_PAGE_FIELDS,
  DATASET_PAGE_POLICY,
  datasetPage,
} from "../../formats/pages/dataset-page.js";
import { JOIN_PAGE_POLICY, joinPage } from "../../formats/pages/join-page.js";
import { PRIVATE } from "../common/caching.js";
import { beginReading, beginSharedReading, type Reading, SHARE_HINT } from "../files/reading.js";
import type { Handler, Services } from "../services.js";
import { idInAddress } from "./share-zarr.js";

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
      await dataset.keys();
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
