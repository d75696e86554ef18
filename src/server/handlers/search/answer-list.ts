/** Answers with a list of what a search finds: checks it, opens it in Solr, and streams it in a format. */
import type { Groups } from "../../../domain/completeness/groups.js";
import type { RequirementInput } from "../../../domain/completeness/requirement.js";
import { TooManyResults } from "../../../domain/errors.js";
import { buildSearch, type FacetSearch, type SearchInput } from "../../../domain/search/search.js";
import type { Principal } from "../../../identity/principal.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { Export } from "../../../index/export/export-admission.js";
import type { Asker } from "../../../index/query/query-admission.js";
import { ifAny, seen, seenFields } from "../../access/visibility.js";
import type { ByteStream, Request } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { attachment } from "../../formats/catalogue.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { callerKey } from "../common/client-key.js";
import { owningCaller } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { listCaching } from "./list-caching.js";
import type { ListFormat } from "./list-formats.js";
import { countListed, exportListed, listedGroups } from "./listed-groups.js";
import { tellSearch } from "./searched.js";
import { type Check, checkValues } from "./unknown-values.js";
import { whyEmpty } from "./why-link.js";

export interface ListRequest extends Pick<Request<"searchData">, "signal" | "caller" | "exchange"> {
  readonly path: SearchInput["path"];
  readonly query: SearchInput["query"] & RequirementInput["query"];
  readonly principal?: Principal | undefined;
}

export interface ListOptions {
  /** Results to skip. */
  readonly start?: number;
  /** Entries after which the list ends. */
  readonly limit?: number | undefined;
  /** Results above which the request is refused; negative for no bound. Only for formats that cannot be empty. */
  readonly maxResults?: number;
  /** The name of a downloaded file, without its extension. */
  readonly name?: string;
}

type Headers = Readonly<Record<string, string>>;

interface OpenList {
  readonly documents: DocumentBatches;
  readonly headers: Headers;
}

/** A reply with a list. The contract's types take JSON of any length as an object that holds the stream. */
type ListReply<F extends ListFormat> =
  F extends ListFormat<infer Type>
    ? {
        readonly status: 200;
        readonly type: Type;
        readonly headers: Headers;
        readonly body: Type extends "application/json"
          ? { readonly stream: ByteStream }
          : ByteStream;
      }
    : never;

/**
 * The answer with what a search finds and its caller may see. If Solr fails after the headers were sent, the transfer breaks
 * off, so that a short list never looks complete.
 *
 * @throws format.Nothing, TooManyResults, InvalidParameters, and what Solr.export throws
 */
export async function answerList<F extends ListFormat>(
  request: ListRequest,
  services: Services,
  format: F,
  options: ListOptions = {},
): Promise<ListReply<F>> {
  const { path, query, signal } = request;
  const search = buildSearch({ path, query });
  const asker = { caller: callerKey(request), signal };
  // Runs beside the other requests to Solr.
  const check = checkValues(search, services.solr, asker);
  const groups = await listedGroups({ path, query }, search, services, asker);
  const list = { request, services, search, asker, check, groups, format, options };
  const { Nothing } = format;
  const { documents, headers } = await (Nothing ? openCounted(list, Nothing) : openAtOnce(list));
  const { limit, name } = options;
  const listed = limit === undefined ? documents : atMost(documents, limit);
  return listReply(format, listed, { ...headers, ...listCaching(request, services) }, name);
}

/** The answer with documents that are open. @param name of a downloaded file, without its extension */
export function listReply<F extends ListFormat>(
  { type, extension, firstPiece, write }: F,
  documents: DocumentBatches,
  headers: Headers,
  name?: string,
): ListReply<F> {
  const stream = byteStream(write(documents), firstPiece);
  const named =
    name === undefined ? {} : { "Content-Disposition": attachment(`${name}.${extension}`) };
  const body = type === "application/json" ? { stream } : stream;
  return { status: 200, type, headers: { ...headers, ...named }, body } as ListReply<F>;
}

interface List {
  readonly request: ListRequest;
  readonly services: Services;
  readonly search: FacetSearch;
  readonly asker: Asker;
  readonly check: Check;
  readonly groups: Groups | undefined;
  readonly format: ListFormat;
  readonly options: ListOptions;
}

/** Opens a list that may be empty. */
async function openAtOnce(list: List): Promise<OpenList> {
  const { request, services, search, check, groups, options } = list;
  const documents = await openExport(list);
  const isFound = !documents.isEmpty;
  tellSearch(request, search, isFound);
  const unknown = unknownValuesHeader(await check({ isFound }));
  // A start behind the last result needs no explanation.
  const why = isFound || options.start ? {} : whyEmpty(request, groups);
  const visible = seen(documents, owningCaller(request), services.rights);
  return { documents: visible, headers: { ...unknown, ...why } };
}

/** Opens a list once it is known to have entries, and no more than the caller allows. */
async function openCounted(list: List, Nothing: NonNullable<ListFormat["Nothing"]>) {
  const { request, services, search, asker, check, groups, options } = list;
  const { solr, rights } = services;
  const { start = 0, maxResults = -1 } = options;
  const count = await (groups === undefined
    ? solr.count(search, asker)
    : countListed(solr, search, groups, maxResults, asker));
  tellSearch(request, search, count > 0);
  const unknown = await check({ isFound: count > 0 });
  if (count <= start) throw new Nothing(unknown);
  if (maxResults >= 0 && count > maxResults) throw new TooManyResults(count, maxResults);
  const documents = await openExport(list);
  // The count of complete groups is an upper bound.
  if (groups !== undefined && documents.isEmpty) throw new Nothing();
  const visible = rights?.hides
    ? await ifAny(seen(documents, owningCaller(request), rights))
    : documents;
  if (visible === undefined) throw new Nothing();
  return { documents: visible, headers: unknownValuesHeader(unknown) };
}

function openExport({ services, search, asker, groups, format, options }: List): Promise<Export> {
  const fields = seenFields(format.fields, services.rights);
  const { start = 0 } = options;
  return exportListed(services.solr, search, { fields, start, ...asker }, groups);
}

/** The first documents. */
async function* atMost(documents: DocumentBatches, limit: number) {
  let left = limit;
  for await (const batch of documents) {
    yield batch.slice(0, left);
    left -= batch.length;
    if (left <= 0) return;
  }
}
