import type { components } from "../../../../generated/openapi.js";
import {
  datasetQuery,
  fittingDatasets,
  MAX_FILES,
  type NamedDataset,
  namesFacets,
  orderedFacets,
  unnamedQuery,
} from "../../../domain/aggregation/dataset-page.js";
import type { DatasetFact } from "../../../domain/aggregation/datasets.js";
import { citationAddress } from "../../../domain/citations/sources.js";
import { standardFacets } from "../../../domain/search/named-facets.js";
import { decodeCursor, decodeOffset, encodeCursor } from "../../../domain/search/page-cursor.js";
import { translation } from "../../../domain/vocabulary/flavours.js";
import { visibleAmong } from "../../access/visibility.js";
import type { Request } from "../../contract/operation.js";
import { bucketsOf, countOf, numberIn } from "../../formats/aggregation/buckets.js";
import { dataset } from "../../formats/aggregation/datasets.js";
import { operationAddress } from "../../formats/catalogue.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { listCaching } from "../common/caching.js";
import { owningCaller } from "../common/client.js";
import { taggedReply } from "../common/tagged-reply.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";

/** Facets whose values are counted for each dataset. */
const COUNTED_BY_VALUE: readonly string[] = ["format", "fs_type", "version"];

const filesOf = (names: readonly NamedDataset[]): number =>
  names.reduce((sum, { count }) => sum + count, 0);

/** Lists the datasets of the files found, by name or in another order, with what their files cover. */
export const listDatasets: Handler<"listDatasets"> = async (received, services) => {
  const { solr } = services;
  const request = await withFlavour(received, services);
  const { path, query } = request;
  const { limit, after, sort } = query;
  const before = sort === "name" || after === undefined ? 0 : decodeOffset(after);
  const facets =
    sort === "name"
      ? namesFacets(limit + 1, after === undefined ? undefined : decodeCursor(after))
      : orderedFacets(limit + 1, before, sort);
  const { search, client } = searchOf(request);
  const { filters } = search;
  const { found, numbers } = await solr.aggregateFacets({ filters, facets }, client);
  recordSearch(request, search, found > 0);

  const names = bucketsOf(numbers.names);
  const shown = fittingDatasets(names.slice(0, limit));
  const unnamed = found - countOf(numbers, "named");
  const isEnd = shown.length === names.length;
  // Files without a dataset name, if very many, get a separate page.
  const hasRoom = shown.length < limit && (shown.length === 0 || unnamed <= MAX_FILES);
  const withUnnamed = isEnd && unnamed > 0 && hasRoom;
  const fields = standardFacets(request).filter((one) => !COUNTED_BY_VALUE.includes(one));
  const facts: DatasetFact[] = [];
  if (shown.length > 0) {
    const texts = shown.map(({ val }) => val);
    const isHeavy = filesOf(shown) > MAX_FILES;
    const question = datasetQuery(search, texts, fields);
    const byName = await solr.scan("datasets", question, { ...client, isHeavy });
    // Datasets that were deleted meanwhile are omitted.
    facts.push(...texts.flatMap((name) => byName.get(name) ?? []));
  }
  if (withUnnamed) {
    const isHeavy = unnamed > MAX_FILES;
    const byName = await solr.scan("datasets", unnamedQuery(search), { ...client, isHeavy });
    facts.push(...byName.values());
  }

  const isAll = isEnd && (unnamed === 0 || withUnnamed);
  const last =
    sort === "name"
      ? (shown.at(-1)?.val ?? (after === undefined ? "" : decodeCursor(after)))
      : String(before + shown.length);
  const behind = isAll ? null : encodeCursor(last);
  const { name } = translation(path.flavour, query.translate);
  const examples = await examplesOf(request, services, facts);
  const shape = {
    total_count: found,
    dataset_count: numberIn(numbers, "datasets"),
    unnamed_files: unnamed,
    datasets: facts.map((fact, index) =>
      dataset(
        fact,
        name,
        examples[index] ?? null,
        fact.name === undefined ? undefined : citationAddress(fact.name, services.citations),
      ),
    ),
    after: behind,
    next: behind && nextAddress(request, behind),
  };
  return taggedReply(request, shape, listCaching(request, services));
};

/** An example file for each dataset; null if the caller may not see it. */
async function examplesOf(
  request: Pick<Request<"listDatasets">, "principal" | "caller">,
  { rights, readable }: Services,
  facts: readonly DatasetFact[],
): Promise<readonly (components["schemas"]["DatasetExample"] | null)[]> {
  const examples = facts.map(({ example }) => ({ ...example }));
  const reasons = await readable.reasons(examples, { by: owningCaller(request) });
  const shown = examples.map(({ file, uri }, index) => {
    const reason = reasons[index] ?? null;
    return { file, ...(uri !== undefined && { uri }), readable: reason === null, reason };
  });
  if (!rights?.hides) return shown;
  const visible = new Set<unknown>(await visibleAmong(examples, owningCaller(request), rights));
  return shown.map((example, index) => (visible.has(examples[index]) ? example : null));
}

function nextAddress(request: InFlavour<Request<"listDatasets">>, after: string) {
  const { limit, sort } = request.query;
  const order = sort === "name" ? {} : { sort };
  const page = { limit: String(limit), ...order, after };
  return operationAddress(catalogueSource(request), "listDatasets", page);
}
