/** What the operations that make catalogues have in common. */
import { PREFIX } from "../../generated/prefix.js";
import type { Principal } from "../auth/principal.js";
import type { Request } from "../contract/operation.js";
import { TooManyResults } from "../errors.js";
import { byteStream } from "../formats/byte-stream.js";
import { attachment, type CatalogueSource, catalogueName } from "../formats/catalogue.js";
import { intakeCatalogue } from "../formats/intake.js";
import { buildSearch, type Search } from "../query/search.js";
import type { DocumentBatches } from "../solr/export.js";
import { datasetId } from "../zarr/address.js";
import { callerKey } from "./caller-key.js";
import type { Services } from "./services.js";
import { zarrAddress } from "./zarr-address.js";

type CatalogueRequest = Pick<
  Request<"createIntakeCatalogue">,
  "path" | "query" | "signal" | "caller"
> & { readonly principal?: Principal | undefined };

/** Where a catalogue comes from: the search as it was asked, without its offset and limit. */
function catalogueSource({ path, query, caller }: CatalogueRequest): CatalogueSource {
  const lists = { ...query.filters, time: query.time, bbox: query.bbox };
  const filters = Object.entries(lists).flatMap(([key, values = []]) =>
    values.map((value) => [key, value] as const),
  );
  const options = {
    ...(query.time_select !== "flexible" && { time_select: query.time_select }),
    ...(query.bbox_select !== "flexible" && { bbox_select: query.bbox_select }),
    ...(query["multi-version"] && { "multi-version": "true" }),
    ...(!query.translate && { translate: "false" }),
  };
  return {
    flavour: path.flavour,
    key: path.uniq_key,
    translate: query.translate,
    multiVersion: query["multi-version"],
    filters,
    options,
    api: caller.base + PREFIX,
    stream: (file) => zarrAddress(caller.base, datasetId(file)),
  };
}

/** What is found, for a catalogue of it. */
interface Found {
  readonly source: CatalogueSource;
  readonly documents: DocumentBatches;
}

/**
 * Searches, and opens what is found once it is known to be something and not too much.
 *
 * @param fields that the catalogue is made of
 * @param nothing makes the error for a search without results
 * @throws as checkFound, and what a search throws
 */
export async function openFound(
  request: CatalogueRequest,
  services: Services,
  fields: (source: CatalogueSource) => readonly string[],
  nothing: () => Error,
): Promise<Found> {
  const search = buildSearch(request);
  await checkFound(request, search, services, nothing);
  const source = catalogueSource(request);
  const { query, signal } = request;
  const asker = { caller: callerKey(request), signal };
  const options = { fields: fields(source), start: query.start, ...asker };
  return { source, documents: await services.solr.export(search, options) };
}

/** The answer with an intake-esm catalogue. @param elsewhere as intakeCatalogue takes it */
export function intakeReply(
  { source, documents }: Found,
  { clock }: Services,
  elsewhere?: Parameters<typeof intakeCatalogue>[3],
) {
  const text = intakeCatalogue(documents, source, new Date(clock()), elsewhere);
  return {
    status: 200,
    type: "application/json",
    headers: { "Content-Disposition": attachment(`${catalogueName(source)}.json`) },
    body: { stream: byteStream(text) },
  } as const;
}

/**
 * Holds what is found against the caller's limit, before anything is sent.
 *
 * @param nothing makes the error for a search without results
 * @throws TooManyResults; what `nothing` makes
 */
export async function checkFound(
  request: CatalogueRequest,
  search: Search,
  { solr }: Services,
  nothing: () => Error,
): Promise<void> {
  const { query, signal } = request;
  const found = await solr.count(search, { caller: callerKey(request), signal });
  const limit = query["max-results"];
  if (found <= query.start) throw nothing();
  if (limit >= 0 && found > limit) throw new TooManyResults(found, limit);
}
