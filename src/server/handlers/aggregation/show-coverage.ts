import { matrixOf } from "../../../domain/aggregation/coverage.js";
import { translation } from "../../../domain/vocabulary/flavours.js";
import type { Request } from "../../contract/operation.js";
import { coverageCsv, coverageJson } from "../../formats/aggregation/coverage.js";
import { FORM_HEADERS, negotiatedForm } from "../common/content-negotiation.js";
import { taggedReply, taggedText } from "../common/tagged-reply.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import { guardUserNames, recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";
import { countCells } from "./count-cells.js";

const FORMS = { json: "application/json", csv: "text/csv" } as const;

/** Counts files for each pair of values of two facets. */
export const showCoverage: Handler<"showCoverage"> = async (received, services) => {
  const { form, request } = negotiatedForm(await withFlavour(received, services), FORMS);
  const { cells, plan, found, names } = await count(request, services);
  if (form === "csv")
    return taggedText(request, FORMS.csv, await coverageCsv(cells, names), FORM_HEADERS);
  return taggedReply(request, await coverageJson(cells, plan, found, names), FORM_HEADERS);
};

export const showCoverageCsv: Handler<"showCoverageCsv"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { cells, names } = await count(request, services);
  return taggedText(request, FORMS.csv, await coverageCsv(cells, names));
};

async function count(request: InFlavour<Request<"showCoverage">>, { solr }: Services) {
  const { path, query, principal } = request;
  const matrix = matrixOf(request);
  guardUserNames([matrix.rows, matrix.columns], principal);
  const { search, client } = searchOf(request);
  const counted = await countCells(solr, search, matrix, client);
  recordSearch(request, search, counted.found.found > 0);
  const { name } = translation(path.flavour, query.translate);
  return { ...counted, names: { rows: name(matrix.rows), columns: name(matrix.columns) } };
}
