/** What the operations that make catalogues have in common. */
import { PREFIX } from "../../../../generated/prefix.js";
import type { Groups } from "../../../domain/completeness/groups.js";
import type { RequirementInput } from "../../../domain/completeness/requirement.js";
import { TooManyResults, type UnknownValue } from "../../../domain/errors.js";
import { buildSearch, type FacetSearch, type SearchInput } from "../../../domain/search/search.js";
import { datasetId } from "../../../files/zarr/address.js";
import type { Principal } from "../../../identity/principal.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { ExportOptions } from "../../../index/export/export-admission.js";
import { ifAny, seen, seenFields } from "../../access/visibility.js";
import type { Request } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { attachment, type CatalogueSource, catalogueName } from "../../formats/catalogue.js";
import { intakeCatalogue } from "../../formats/intake.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { clientKey } from "../common/client-key.js";
import { owningCaller } from "../flavours/requested-flavour.js";
import { listCaching } from "../search/list-caching.js";
import { countListed, exportListed, listedGroups } from "../search/listed-groups.js";
import { tellSearch } from "../search/searched.js";
import { checkValues } from "../search/unknown-values.js";
import type { Services } from "../services.js";
import { zarrAddress } from "../zarr/zarr-address.js";

type CatalogueRequest = Pick<
  Request<"createIntakeCatalogue">,
  "query" | "signal" | "caller" | "exchange"
> & {
  readonly path: SearchInput["path"];
  readonly principal?: Principal | undefined;
};

/** A search, as it is told to whoever gets a list of it. */
export type SourceRequest = Pick<CatalogueRequest, "path" | "caller"> & {
  readonly query: SearchInput["query"] & RequirementInput["query"];
};

/** Where a catalogue comes from: the search as it was asked, without its offset and limit. */
export function catalogueSource({ path, query, caller }: SourceRequest): CatalogueSource {
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
  const { group_by, need, require_all_on } = query;
  const groups = Object.entries({ group_by, need, require_all_on }).flatMap(([key, values = []]) =>
    values.map((value) => [key, value] as const),
  );
  return {
    flavour: path.flavour,
    key: path.uniq_key,
    translate: query.translate,
    multiVersion: query["multi-version"],
    ...{ filters, options, groups },
    api: caller.base + PREFIX,
    stream: (file) => zarrAddress(caller.base, datasetId(file)),
  };
}

/** Makes the error for a search without results. @param unknown values that no entry has */
type Nothing = (unknown: readonly UnknownValue[] | undefined) => Error;

/** What is found, for a catalogue of it. */
interface Found {
  readonly source: CatalogueSource;
  readonly documents: DocumentBatches;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Searches, and opens what is found once it is known to be something and not too much.
 *
 * @param fields that the catalogue is made of
 * @throws as checkFound, and what a search throws
 */
export async function openFound(
  request: CatalogueRequest,
  services: Services,
  fields: (source: CatalogueSource) => readonly string[],
  nothing: Nothing,
): Promise<Found> {
  const search = buildSearch(request);
  const { query, signal } = request;
  const client = { clientKey: clientKey(request), signal };
  const groups = await listedGroups(request, search, services, client);
  const headers = await checkFound(request, search, services, nothing, groups);
  const source = catalogueSource(request);
  const options = { fields: fields(source), start: query.start, ...client };
  const documents = await exportSeen(request, search, services, options, nothing, groups);
  return { source, headers, documents };
}

/**
 * Everything that is found and that the caller sees, once it is known to be something.
 *
 * @param groups where only files of the complete ones are listed
 * @throws what `nothing` makes, where all of it is hidden; what a search throws
 */
export async function exportSeen(
  request: CatalogueRequest,
  search: FacetSearch,
  { solr, rights }: Services,
  options: ExportOptions,
  nothing: Nothing,
  groups?: Groups,
): Promise<DocumentBatches> {
  const fields = seenFields(options.fields, rights);
  const documents = await exportListed(solr, search, { ...options, fields }, groups);
  if (groups !== undefined && documents.isEmpty) throw nothing(undefined);
  if (!rights?.hides) return documents;
  const visible = await ifAny(seen(documents, owningCaller({ ...request }), rights));
  if (visible === undefined) throw nothing(undefined);
  return visible;
}

/** The answer with an intake-esm catalogue. @param elsewhere as intakeCatalogue takes it */
export function intakeReply(
  { source, documents, headers }: Found,
  { clock }: Services,
  elsewhere?: Parameters<typeof intakeCatalogue>[3],
) {
  const text = intakeCatalogue(documents, source, new Date(clock()), elsewhere);
  return {
    status: 200,
    type: "application/json",
    headers: { ...headers, "Content-Disposition": attachment(`${catalogueName(source)}.json`) },
    body: { stream: byteStream(text) },
  } as const;
}

/**
 * Holds what is found against the caller's limit, before anything is sent.
 *
 * @returns the headers that tell what is unknown
 * @throws TooManyResults; what `nothing` makes
 */
export async function checkFound(
  request: CatalogueRequest,
  search: FacetSearch,
  services: Services,
  nothing: Nothing,
  groups?: Groups,
): Promise<Readonly<Record<string, string>>> {
  const { solr } = services;
  const { query, signal } = request;
  const client = { clientKey: clientKey(request), signal };
  const check = checkValues(search, solr, client);
  const limit = query["max-results"];
  const found = await (groups === undefined
    ? solr.count(search, client)
    : countListed(solr, search, groups, limit, client));
  tellSearch(request, search, found > 0);
  const unknown = await check({ isFound: found > 0 });
  if (found <= query.start) throw nothing(unknown);
  if (limit >= 0 && found > limit) throw new TooManyResults(found, limit);
  return { ...unknownValuesHeader(unknown), ...listCaching(request, services) };
}
