import { TooManyResults } from "../../../domain/errors.js";
import type { Search } from "../../../domain/search/search.js";
import { typesOf } from "../../../domain/vocabulary/list-formats.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Request } from "../../contract/operation.js";
import { numberIn } from "../../formats/aggregation/buckets.js";
import { type CitationForm, citationFormat } from "../../formats/citations.js";
import { negotiatedForm, withForms } from "../common/content-negotiation.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { searchOf } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";

/** Datasets that are cited together: their names are kept until the end. */
const MAX_DATASETS = 100_000;

/** Says what to cite for the datasets found. It calls no other service. */
export const cite: Handler<"cite"> = async (received, services) => {
  const inFlavour = await withFlavour(received, services);
  const { form, request } = negotiatedForm(inFlavour, typesOf("cite"));
  const reply = await citations(request, services, form);
  return { ...reply, headers: withForms(reply.headers) };
};

export const citeBibtex: Handler<"citeBibtex"> = async (received, services) =>
  citations(await withFlavour(received, services), services, "bibtex");

export const citeCsl: Handler<"citeCsl"> = async (received, services) =>
  citations(await withFlavour(received, services), services, "csl-json");

async function citations<Form extends CitationForm>(
  request: InFlavour<Request<"citeBibtex">>,
  services: Services,
  form: Form,
) {
  const { search, client } = searchOf(request);
  await refuseTooMany(search, services, client);
  return answerList(request, services, citationsOf(form, services));
}

/** The format for the references of this service. */
export const citationsOf = <Form extends CitationForm>(
  form: Form,
  { citations: rules, clock }: Services,
) => citationFormat(form, rules, new Date(clock()).toISOString().slice(0, 10));

export async function refuseTooMany(
  { filters }: Search,
  { solr }: Services,
  client: SearchClient,
): Promise<void> {
  const facets = { datasets: "unique(dataset_id)" };
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const datasets = numberIn(numbers, "datasets");
  if (datasets > MAX_DATASETS) throw new TooManyResults(datasets, MAX_DATASETS, "datasets");
}
