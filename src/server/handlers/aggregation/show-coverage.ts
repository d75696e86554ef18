import { matrixOf } from "../../../domain/aggregation/coverage.js";
import { type Flavour, translation } from "../../../domain/vocabulary/flavours.js";
import type { Handler, Request } from "../../contract/operation.js";
import { coverageCsv, coverageJson } from "../../formats/aggregation/coverage.js";
import { clientKey } from "../common/client-key.js";
import { FORM_HEADERS, negotiatedForm } from "../common/content-negotiation.js";
import { taggedReply, taggedText } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch } from "../search/searched.js";
import { guardUserNames, requestedSearch } from "../search/user-name-guard.js";
import type { Services } from "../services.js";
import { countCells } from "./count-cells.js";

const FORMS = { json: "application/json", csv: "text/csv" } as const;

type Received = Request<"showCoverage">;
type Coverage = Omit<Received, "path"> & { readonly path: { readonly flavour: Flavour } };

/** Counts files for each pair of values of two facets. */
export function showCoverage(services: Services): Handler<"showCoverage"> {
  return async (received) => {
    const { form, request } = negotiatedForm(await withFlavour(received, services), FORMS);
    const { cells, plan, found, names } = await count(request, services);
    if (form === "csv")
      return taggedText(request, FORMS.csv, await coverageCsv(cells, names), FORM_HEADERS);
    return taggedReply(request, await coverageJson(cells, plan, found, names), FORM_HEADERS);
  };
}

/** The same as CSV. */
export function showCoverageCsv(services: Services): Handler<"showCoverageCsv"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const { cells, names } = await count(request, services);
    return taggedText(request, FORMS.csv, await coverageCsv(cells, names));
  };
}

async function count(request: Coverage, { solr }: Services) {
  const { path, query, principal, signal } = request;
  const matrix = matrixOf({ path, query });
  guardUserNames([matrix.rows, matrix.columns], principal);
  const search = requestedSearch({ path: { ...path, uniq_key: "file" }, query }, principal);
  const client = { clientKey: clientKey(request), signal };
  const counted = await countCells(solr, search, matrix, client);
  recordSearch(request, search, counted.found.found > 0);
  const { name } = translation(path.flavour, query.translate);
  return { ...counted, names: { rows: name(matrix.rows), columns: name(matrix.columns) } };
}
