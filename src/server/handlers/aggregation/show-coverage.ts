import { matrixOf } from "../../../domain/aggregation/coverage.js";
import { buildSearch } from "../../../domain/search/search.js";
import { translation } from "../../../domain/vocabulary/flavours.js";
import type { Handler } from "../../contract/operation.js";
import { coverageCsv, coverageJson } from "../../formats/aggregation/coverage.js";
import { clientKey } from "../common/client-key.js";
import { FORM_HEADERS, negotiatedForm } from "../common/content-negotiation.js";
import { taggedReply, taggedText } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { tellSearch } from "../search/searched.js";
import { guardUserNames } from "../search/user-name-guard.js";
import type { Services } from "../services.js";
import { countCells } from "./count-cells.js";

const FORMS = { json: "application/json", csv: "text/csv" } as const;

/** Counts files for each pair of values of two facets. */
export function showCoverage(services: Services): Handler<"showCoverage"> {
  const { solr } = services;
  return async (asked) => {
    const { form, request } = negotiatedForm(await withFlavour(asked, services), FORMS);
    const { path, query, principal, signal } = request;
    const matrix = matrixOf({ path, query });
    guardUserNames([matrix.rows, matrix.columns], principal);
    const search = buildSearch({ path: { ...path, uniq_key: "file" }, query });
    const client = { clientKey: clientKey(request), signal };
    const { cells, plan, found } = await countCells(solr, search, matrix, client);
    tellSearch(request, search, found.found > 0);
    const { name } = translation(path.flavour, query.translate);
    const names = { rows: name(matrix.rows), columns: name(matrix.columns) };
    if (form === "csv")
      return taggedText(request, FORMS.csv, await coverageCsv(cells, names), FORM_HEADERS);
    return taggedReply(request, await coverageJson(cells, plan, found, names), FORM_HEADERS);
  };
}
