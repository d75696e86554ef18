import type { ZarrAccess } from "../access/zarr-access.js";
import type { Principal } from "../auth/principal.js";
import type { Handler } from "../contract/operation.js";
import { NoSuchData } from "../errors.js";
import { DATASET_PAGE_POLICY, datasetPage } from "../formats/dataset-page.js";
import { callingOwner } from "./calling-owner.js";
import { idInAddress } from "./share-zarr.js";
import { zarrAddress } from "./zarr-address.js";

interface Asked {
  readonly principal: Principal;
  readonly caller: { readonly base: string };
  readonly signal: AbortSignal;
}

async function page(id: string, asked: Asked, access: ZarrAccess) {
  const reader = callingOwner(asked);
  const summary = await access.read(`${id}.zarr`, reader, asked, (dataset) =>
    dataset.summary(reader.id),
  );
  return {
    status: 200,
    type: "text/html",
    headers: {
      "Content-Security-Policy": DATASET_PAGE_POLICY,
      "Cache-Control": "private, no-cache",
    },
    body: datasetPage(summary, zarrAddress(asked.caller.base, id)),
  } as const;
}

/** A page about a data set, for a person. */
export function showZarr(access: ZarrAccess): Handler<"showZarr"> {
  return (request) => page(request.path.store.replace(/\.zarr$/, ""), request, access);
}

/** The same, by the address of the stream. */
export function showZarrOfAddress(access: ZarrAccess): Handler<"showZarrOfAddress"> {
  return async (request) => {
    const id = idInAddress(request.query.url);
    if (id === undefined) throw new NoSuchData("This is not the address of a zarr stream.");
    return page(id, request, access);
  };
}
