/** Addresses of joined stores, for the results of a search and for files that are named. */
import { invalidParameter, NoEntries, TooManyResults } from "../../../domain/errors.js";
import { mayRead, type Owner } from "../../../domain/user-data/owner.js";
import { NoSuchData, NotYours } from "../../../files/errors.js";
import type { ZarrVersion } from "../../../files/zarr/address.js";
import type { JoinOptions } from "../../../files/zarr/join/recipe.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { FairSemaphore } from "../../../platform/concurrency/fair-semaphore.js";
import { RETRY_AFTER, ServiceBusy } from "../../../platform/errors.js";
import { ANOTHERS, ownershipOf } from "../../access/data-claims.js";
import { visibilityFields, visibleBatches } from "../../access/visibility.js";
import { readInnerSearch } from "../../contract/input/decode.js";
import type { AnyRequest, Request } from "../../contract/operation.js";
import { zarrAddress } from "../../formats/download/addresses.js";
import { JOIN_FIELDS, joinedGroups } from "../../joins/joined-documents.js";
import { type MadeJoin, makeJoin } from "../../joins/make-joins.js";
import { uncached } from "../common/caching.js";
import { callingOwner, clientOf, owningCaller, requireOwner } from "../common/client.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { ListFormat } from "../search/list-formats.js";
import { searchOf } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";

/** Files that are joined for one request, and stores that are made. */
export const MAX_JOINED = 50_000;
const MAX_STORES = 1000;

/** Each request holds the documents of its files, some tens of megabytes. */
const joining = new FairSemaphore({
  permits: 2,
  maxWaiting: 100,
  timeoutMs: 30_000,
  perClient: { permits: 1, waiting: 10 },
  refused: () => new ServiceBusy(RETRY_AFTER.search),
});
/** Joins in turn with other clients. */
const inTurn = <T>({ clientKey = "", signal }: SearchClient, work: () => Promise<T>): Promise<T> =>
  joining.run({ client: clientKey, signal }, work);

interface Received {
  readonly by?: JoinOptions["kind"] | undefined;
  readonly missing?: "fill" | undefined;
  readonly strict?: boolean | undefined;
}

export const joinOptions = ({
  by = "dataset",
  missing,
  strict = false,
}: Received): JoinOptions => ({
  kind: by,
  fillsMissing: missing === "fill",
  isStrict: strict,
});

async function joinsOf(
  documents: readonly SolrDocument[],
  options: JoinOptions,
  services: Services,
  by: Owner,
  signal: AbortSignal | undefined,
): Promise<readonly MadeJoin[]> {
  const groups = joinedGroups(documents, options.kind);
  if (groups.length > MAX_STORES) throw new TooManyResults(groups.length, MAX_STORES);
  const made: MadeJoin[] = [];
  for (const group of groups) made.push(await makeJoin(group, options, services, signal));
  await services.access.recipes.save(
    made.flatMap(({ recipe }) => recipe ?? []),
    by,
  );
  return made;
}

/** The addresses of the joined results of a search, one per line. */
export function joinFormat(
  options: JoinOptions,
  request: AnyRequest,
  services: Services,
  version?: ZarrVersion,
): ListFormat<"text/plain"> {
  const [by, client] = [requireOwner(request), clientOf(request)];
  // Not the request, whose body may be large: joins wait for each other.
  const { base } = request.caller;
  return {
    type: "text/plain",
    extension: "txt",
    fields: JOIN_FIELDS,
    Nothing: NoEntries,
    firstPiece: 1,
    async *write(batches) {
      const made = await inTurn(client, async () => {
        const documents: SolrDocument[] = [];
        for await (const batch of batches) {
          documents.push(...batch);
          if (documents.length > MAX_JOINED)
            throw new TooManyResults(`more than ${MAX_JOINED}`, MAX_JOINED, "files");
        }
        return joinsOf(documents, options, services, by, client.signal);
      });
      yield made.map(({ id }) => `${zarrAddress(base, id, version)}\n`).join("");
    },
  };
}

export const joinData: Handler<"joinData"> = async (request, services) => {
  const { body, caller } = request;
  const client = clientOf(request);
  const made = await inTurn(client, async () => {
    const documents =
      body.files === undefined
        ? await found(request, services)
        : await named(body.files, request, services);
    const by = callingOwner(request);
    return joinsOf(documents, joinOptions(body), services, by, client.signal);
  });
  const joins = made.map(({ name, id, files, recipe, notes }) => {
    const url = zarrAddress(caller.base, id);
    return {
      name,
      url,
      ...(recipe !== undefined && { plan: `${url}/plan` }),
      files,
      notes: [...notes],
    };
  });
  return uncached({ joins });
};

async function found(request: Request<"joinData">, services: Services): Promise<SolrDocument[]> {
  const { solr, rights } = services;
  const { body } = request;
  const named = { ...request, path: { flavour: body.flavour ?? "native" } };
  const { path } = await withFlavour(named, services);
  const query = readInnerSearch(body.parameters ?? {});
  const { search, client } = searchOf({ ...request, path, query });
  const count = await solr.count(search, client);
  if (count === 0) throw invalidParameter("parameters", "find nothing", "body");
  if (count > MAX_JOINED) throw new TooManyResults(count, MAX_JOINED);
  const fields = visibilityFields(JOIN_FIELDS, rights);
  const batches = await solr.export(search, { fields, start: 0, ...client });
  const documents: SolrDocument[] = [];
  for await (const batch of visibleBatches(batches, owningCaller(request), rights))
    documents.push(...batch);
  return documents;
}

async function named(
  files: readonly string[],
  request: Request<"joinData">,
  { access }: Services,
): Promise<SolrDocument[]> {
  const by = callingOwner(request);
  const names = [...new Set(files)];
  const fields = [...JOIN_FIELDS, "user", "owner"];
  const documents = await access.describeFiles(names, fields, request.caller);
  return names.map((file) => {
    const document = documents.get(file);
    if (document === undefined) {
      throw new NoSuchData(
        `The index has no file ${file}: files are named as data-search lists them.`,
      );
    }
    // Names of datasets are for those who may read them.
    if (!mayRead(by, ownershipOf(document))) throw new NotYours(ANOTHERS);
    return document;
  });
}
