import { NoEntries, type UnknownValue } from "../../../domain/errors.js";
import { buildSearch, type UniqKey } from "../../../domain/search/search.js";
import { datasetId } from "../../../files/zarr/address.js";
import type { SolrDocument } from "../../../index/export/export.js";
import type { Handler, Request } from "../../contract/operation.js";
import type { CatalogueSource } from "../../formats/catalogue.js";
import { intakeFields } from "../../formats/intake.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { clientKey } from "../common/client-key.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { zarrAddress } from "../zarr/zarr-address.js";
import { checkFound, exportSeen, intakeReply, openFound } from "./catalogue-search.js";
import { zarrList } from "./zarr-list.js";

type LoadRequest = Request<"loadData"> | Request<"loadDataByKey">;

const nothing = (unknown?: readonly UnknownValue[]) => new NoEntries(unknown);

async function load(request: LoadRequest, key: UniqKey, services: Services) {
  const { path, query, signal, caller, principal, exchange } = await withFlavour(request, services);
  const asked = {
    ...{ signal, caller, principal, exchange, path: { ...path, uniq_key: key } },
    query: { ...query, "max-results": -1 },
  };
  const stream = (file: string): string => zarrAddress(caller.base, datasetId(file));
  if (query["catalogue-type"] === undefined) {
    const search = buildSearch(asked);
    const headers = await checkFound(asked, search, services, nothing);
    const client = { clientKey: clientKey(request), signal };
    const options = { fields: ["file"], start: query.start, ...client };
    const documents = await exportSeen(asked, search, services, options, nothing);
    const body = byteStream(zarrList(documents, stream));
    return { status: 200, type: "text/plain", headers, body } as const;
  }
  const fields = (source: CatalogueSource) => [...new Set(["file", ...intakeFields(source)])];
  const found = await openFound(asked, services, fields, nothing);
  const location = (document: SolrDocument): string => stream(String(document.file));
  return intakeReply(found, services, { location, dataFormat: "zarr" });
}

/** Zarr addresses of what is found, streamed. */
export function loadData(services: Services): Handler<"loadData"> {
  return (request) => load(request, "file", services);
}

/** The same, of what has a location of the kind that is asked for. */
export function loadDataByKey(services: Services): Handler<"loadDataByKey"> {
  return (request) => load(request, request.path.uniq_key, services);
}
