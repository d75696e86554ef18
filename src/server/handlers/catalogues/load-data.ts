import { invalidParameter } from "../../../domain/errors.js";
import type { UniqKey } from "../../../domain/search/search.js";
import { MissingToken } from "../../../identity/errors.js";
import type { ReadableData } from "../../access/readable-data.js";
import type { ZarrAccess } from "../../access/zarr-access.js";
import type { Handler, Request } from "../../contract/operation.js";
import { catalogueName } from "../../formats/catalogue.js";
import { withForms } from "../common/content-negotiation.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList, type ListRequest } from "../search/answer-list.js";
import { addressFormat, addressIn, intakeFormat, streamFormat } from "../search/list-formats.js";
import type { Services } from "../services.js";
import { callingOwner } from "../user-data/calling-owner.js";
import { joinFormat, joinOptions, MAX_JOINED } from "../zarr/join-data.js";
import { zarrAddress } from "../zarr/zarr-address.js";
import { catalogueSource } from "./catalogue-source.js";

type LoadRequest = Request<"loadData"> | Request<"loadDataByKey">;

async function load(
  received: LoadRequest,
  key: UniqKey,
  services: Services,
  { access, readable }: Parts,
) {
  const named = await withFlavour(received, services);
  const request = { ...named, path: { ...named.path, uniq_key: key } };
  const { start, "catalogue-type": catalogueType } = request.query;
  if (request.query.join !== undefined) return joined(request, services, access);
  if (catalogueType !== undefined) return catalogue(request, services, start);
  const reply =
    request.caller.preferred(["text/plain", "application/json"]) === "text/plain"
      ? await answerList(request, services, addressFormat(catalogueSource(request)), { start })
      : await streams(request, services, readable);
  return { ...reply, headers: withForms(reply.headers) };
}

interface Parts {
  readonly access: ZarrAccess;
  readonly readable: ReadableData;
}

/** Addresses as JSON, with whether their data can be read here. */
async function streams(
  request: ListRequest & { readonly query: { readonly start: number } },
  services: Services,
  readable: ReadableData,
) {
  const { principal, caller, query } = request;
  if (principal === undefined) throw new MissingToken();
  const source = catalogueSource(request);
  const by = callingOwner({ principal, caller });
  const options = { by, hasRights: true, isAnyFormat: source.isHttp === true };
  const format = streamFormat(source, (documents) => readable.reasons(documents, options));
  return answerList(request, services, format, { start: query.start });
}

type JoinQuery = Pick<
  LoadRequest["query"],
  "join" | "missing" | "strict" | "start" | "zarr_format" | "catalogue-type"
>;

async function joined(
  request: ListRequest & { readonly query: JoinQuery },
  services: Services,
  access: ZarrAccess,
) {
  const {
    join,
    missing,
    strict,
    start,
    zarr_format: version,
    "catalogue-type": type,
  } = request.query;
  if (type !== undefined)
    throw invalidParameter("join", "is not for catalogues: leave out catalogue-type");
  if (start > 0)
    throw invalidParameter("start", "is not for joins, which need all files of a dataset");
  const { principal, caller } = request;
  if (principal === undefined) throw new MissingToken();
  const { base } = caller;
  const format = joinFormat(
    joinOptions({ by: join, missing, strict }),
    services,
    access,
    callingOwner({ principal, caller }),
    (id) => zarrAddress(base, id, version === "3" ? 3 : 2),
  );
  return answerList(request, services, format, { maxResults: MAX_JOINED });
}

async function catalogue(request: ListRequest, services: Services, start: number) {
  const source = catalogueSource(request);
  const location = addressIn(source);
  const elsewhere = source.isHttp ? { location } : { location, dataFormat: "zarr" };
  const format = intakeFormat(source, new Date(services.clock()), elsewhere);
  return answerList(request, services, format, { start, name: catalogueName(source) });
}

/** Zarr addresses of the results of a search, as a list or in an intake-esm catalogue. */
export function loadData(
  services: Services,
  access: ZarrAccess,
  readable: ReadableData,
): Handler<"loadData"> {
  return (request) => load(request, "file", services, { access, readable });
}

/** The same, for entries that have a location of the requested kind. */
export function loadDataByKey(
  services: Services,
  access: ZarrAccess,
  readable: ReadableData,
): Handler<"loadDataByKey"> {
  return (request) => load(request, request.path.uniq_key, services, { access, readable });
}

/** The JSON alone. */
export function listStreams(services: Services, readable: ReadableData): Handler<"listStreams"> {
  return async (received) => streams(await withFlavour(received, services), services, readable);
}

/** The intake-esm catalogue alone. */
export function createZarrCatalogue(services: Services): Handler<"createZarrCatalogue"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    return catalogue(request, services, request.query.start);
  };
}
