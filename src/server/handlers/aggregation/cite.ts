import { TooManyResults } from "../../../domain/errors.js";
import type { FacetSearch, Search } from "../../../domain/search/search.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import { typesOf } from "../../../domain/vocabulary/list-formats.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Handler, Request } from "../../contract/operation.js";
import { numberIn } from "../../formats/aggregation/buckets.js";
import { type CitationForm, citationFormat } from "../../formats/citations.js";
import { clientKey } from "../common/client-key.js";
import { negotiatedForm, withForms } from "../common/content-negotiation.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { requestedSearch } from "../search/user-name-guard.js";
import type { Services } from "../services.js";

/** Datasets that are cited together: their names are kept until the end. */
const MAX_DATASETS = 100_000;

type Asking = Omit<Request<"citeBibtex">, "path"> & {
  readonly path: { readonly flavour: Flavour };
};

/** Says what to cite for the datasets found. Nothing is asked of other services. */
export function cite(services: Services): Handler<"cite"> {
  return async (received) => {
    const { form, request } = negotiatedForm(
      await withFlavour(received, services),
      typesOf("cite"),
    );
    const reply = await citations(request, services, form);
    return { ...reply, headers: withForms(reply.headers) };
  };
}

/** The same as BibTeX. */
export function citeBibtex(services: Services): Handler<"citeBibtex"> {
  return async (received) => citations(await withFlavour(received, services), services, "bibtex");
}

/** The same as CSL-JSON. */
export function citeCsl(services: Services): Handler<"citeCsl"> {
  return async (received) => citations(await withFlavour(received, services), services, "csl-json");
}

async function citations<Form extends CitationForm>(
  asking: Asking,
  services: Services,
  form: Form,
) {
  const request = { ...asking, path: { ...asking.path, uniq_key: "file" as const } };
  const { path, query, principal, signal } = request;
  const search: FacetSearch = requestedSearch({ path, query }, principal);
  await refuseTooMany(search, services, { clientKey: clientKey(request), signal });
  return answerList(request, services, citationsOf(form, services));
}

/** The format for the references of this service. */
export const citationsOf = <Form extends CitationForm>(
  form: Form,
  { citations: rules, clock }: Pick<Services, "citations" | "clock">,
) => citationFormat(form, rules, new Date(clock()).toISOString().slice(0, 10));

/** @throws TooManyResults */
export async function refuseTooMany(
  { filters }: Search,
  { solr }: Pick<Services, "solr">,
  client: SearchClient,
): Promise<void> {
  const facets = { datasets: "unique(dataset_id)" };
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const datasets = numberIn(numbers, "datasets");
  if (datasets > MAX_DATASETS) throw new TooManyResults(datasets, MAX_DATASETS, "datasets");
}
