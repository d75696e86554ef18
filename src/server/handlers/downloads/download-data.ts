import { invalidParameter } from "../../../domain/errors.js";
import { type FormatOf, isFormatOf } from "../../../domain/vocabulary/list-formats.js";
import type { Request } from "../../contract/operation.js";
import { catalogueName } from "../../formats/catalogue.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { downloadFormat } from "../search/list-formats.js";
import type { Handler } from "../services.js";

type Query = Request<"downloadData">["query"];

/**
 * The form of the download, and the filters. `format=sh` is `as=sh`: no file has a format of these names, so that other
 * values of `format` are those of the facet.
 */
function formOf(query: Query): {
  readonly form: FormatOf<"downloadData">;
  readonly filters: Query["filters"];
} {
  const { format = [], ...others } = query.filters;
  const named = format.filter((word) => isFormatOf(word, "downloadData"));
  const forms = new Set([query.as ?? [], named].flat());
  const [form = "sh", ...more] = forms;
  if (more.length > 0) throw invalidParameter("as", "must be one form only");
  const values = format.filter((word) => !isFormatOf(word, "downloadData"));
  return { form, filters: values.length === 0 ? others : { ...others, format: values } };
}

/** The files of a search as a script or a list that downloads them, streamed from Solr. */
export const downloadData: Handler<"downloadData"> = async (received, services) => {
  const { form, filters } = formOf(received.query);
  const request = await withFlavour(
    { ...received, query: { ...received.query, filters } },
    services,
  );
  const format = downloadFormat(form, received.query.layout ?? "drs", request.caller.base);
  const name = catalogueName(catalogueSource(request));
  return answerList(request, services, format, { start: request.query.start, name });
};

export const downloadMetalink: Handler<"downloadMetalink"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { layout = "drs", start } = request.query;
  const format = downloadFormat("metalink", layout, request.caller.base);
  return answerList(request, services, format, {
    start,
    name: catalogueName(catalogueSource(request)),
  });
};
