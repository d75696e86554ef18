import type { Owner } from "../../../domain/user-data/owner.js";
import { NoSuchData } from "../../../files/errors.js";
import { idOf, versionOf } from "../../../files/zarr/address.js";
import type { Principal } from "../../../identity/principal.js";
import type { ZarrAccess } from "../../access/zarr-access.js";
import type { Caller } from "../../contract/caller.js";
import type { Handler } from "../../contract/operation.js";
import {
  DATASET_PAGE_FIELDS,
  DATASET_PAGE_POLICY,
  datasetPage,
} from "../../formats/pages/dataset-page.js";
import type { RequestContext } from "../../http/request-context.js";
import { clientKey } from "../common/client-key.js";
import { dataReader, SHARE_HINT } from "../files/data-reader.js";
import type { Services } from "../services.js";
import { readingClient } from "./request-client.js";
import { resolveShare } from "./share-resolution.js";
import { idInAddress, sharedAddress } from "./share-zarr.js";
import { zarrAddress } from "./zarr-address.js";

interface PageRequest {
  readonly caller: Caller;
  readonly principal?: Principal | undefined;
  readonly context: RequestContext;
  readonly signal: AbortSignal;
}

interface Shown {
  readonly id: string;
  readonly reader: Owner;
  /** Address of the stream. */
  readonly address: string;
  readonly needsToken: boolean;
}

async function page(
  { id, reader, address, needsToken }: Shown,
  request: PageRequest,
  access: ZarrAccess,
) {
  await request.context.reads(id, reader);
  const key = needsToken ? reader.id : clientKey(request);
  const by = readingClient(request, key);
  const summary = await access.read(`${id}.zarr`, reader, request, (dataset) =>
    dataset.summary(by),
  );
  const document = await access.describe(`${id}.zarr`, DATASET_PAGE_FIELDS, request);
  return {
    status: 200,
    type: "text/html",
    headers: {
      "Content-Security-Policy": DATASET_PAGE_POLICY,
      "Cache-Control": "private, no-cache",
    },
    body: datasetPage(document, summary, address, needsToken),
  } as const;
}

/** @throws as dataReader */
async function ofReader(store: string, received: PageRequest, access: ZarrAccess): Promise<Shown> {
  const id = idOf(store);
  const { principal, caller } = received;
  return {
    id,
    reader: await dataReader(id, received, access, SHARE_HINT),
    needsToken: principal !== undefined,
    address: zarrAddress(caller.base, id, versionOf(store)),
  };
}

/** Shows a page about a data set. */
export function showZarr(access: ZarrAccess): Handler<"showZarr"> {
  return async (request) =>
    page(await ofReader(request.path.store, request, access), request, access);
}

/** The same page, by the address of the stream. */
export function showZarrOfAddress(access: ZarrAccess): Handler<"showZarrOfAddress"> {
  return async (request) => {
    const id = idInAddress(request.query.url);
    if (id === undefined) throw new NoSuchData("This is not the address of a zarr stream.");
    return page(await ofReader(id, request, access), request, access);
  };
}

/** The same page by the ticket of a share, for browsers, which cannot send a token. */
export function showSharedZarr(services: Services, access: ZarrAccess): Handler<"showSharedZarr"> {
  return async (request) => {
    const { path, caller } = request;
    const { by } = await resolveShare(path, caller, services);
    const id = idOf(path.store);
    const address = sharedAddress(caller.base, path.ticket, id, versionOf(path.store));
    return page({ id, reader: by, address, needsToken: false }, request, access);
  };
}
