import { NoSuchData } from "../../../files/errors.js";
import { idOf, versionOf } from "../../../files/zarr/address.js";
import { sharedZarrAddress, zarrAddress } from "../../formats/download/addresses.js";
import {
  DATASET_PAGE_FIELDS,
  DATASET_PAGE_POLICY,
  datasetPage,
} from "../../formats/pages/dataset-page.js";
import { PRIVATE } from "../common/caching.js";
import {
  beginReading,
  beginSharedReading,
  type Reading,
  type ReadingRequest,
  SHARE_HINT,
} from "../files/reading.js";
import type { Handler, Services } from "../services.js";
import { idInAddress } from "./share-zarr.js";

/** @param address of the stream. @param needsToken whether a token is needed there */
async function page(
  { reader, client }: Reading,
  id: string,
  address: string,
  needsToken: boolean,
  request: ReadingRequest,
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

async function readersPage(store: string, request: ReadingRequest, services: Services) {
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
