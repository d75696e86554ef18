/**
 * Measures the STAC API: pages, aggregations, items, and datasets grouped at query time against a collection of datasets.
 *
 *     npx tsx bench/stac.ts [N]   # 500000; the choice between grouping and a collection: 2000000
 *
 * Each dataset has one or two files, so that 500,000 files have a page 1000 of 250 items.
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { allItems } from "../src/domain/stac/item-search.js";
import { encodeCursor } from "../src/domain/stac/sorted-items.js";
import { datasetId } from "../src/domain/vocabulary/dataset-id.js";
import type { Target } from "./client.js";
import { CARDINALITIES, documents, names } from "./make-catalogue.js";
import { runBench } from "./one-catalogue.js";
import type { RemoteClient } from "./remote-client.js";
import { median, milliseconds, type Row } from "./report.js";
import type { Query, Service } from "./service.js";

const ROUNDS = 9;
const PAGE = 250;
const FAR_PAGE = 1000;
const ITEMS = 100;
/** One core beside the index, with a document for each dataset. */
const CORE = "datasets";

interface Catalogue {
  readonly files: string;
  readonly datasets: string;
}

type Doc = Readonly<Record<string, unknown>> & {
  readonly file: string;
  readonly variable: string[];
};

const first = (values: unknown): string => String([values].flat()[0]);

/** Writes the files, and a document for each of their datasets as an array. */
async function make(folder: string, count: number): Promise<Catalogue> {
  const paths = { files: join(folder, "files.jsonl"), datasets: join(folder, "datasets.json") };
  const [files, datasets] = [createWriteStream(paths.files), createWriteStream(paths.datasets)];
  const seen = new Set<string>();
  let [written, folderOfLast, slice] = [0, "", 0];
  datasets.write("[");
  for (const text of documents(count, "details")) {
    const made = JSON.parse(text) as Doc;
    const folderOf = made.file.slice(0, made.file.lastIndexOf("/"));
    slice = folderOf === folderOfLast ? slice + 1 : 0;
    folderOfLast = folderOf;
    const doc: Doc = { ...made, variable: [`${first(made.variable)}p${Math.floor(slice / 2)}`] };
    const name = datasetId(doc) ?? "";
    const isNew = !seen.has(name);
    const line = JSON.stringify({ ...doc, file: name, dataset_id: name });
    if (isNew) {
      if (!datasets.write(seen.size === 0 ? line : `,\n${line}`)) await drained(datasets);
      seen.add(name);
    }
    if (!files.write(`${JSON.stringify(doc)}\n`)) await drained(files);
    written += 1;
  }
  datasets.end("]");
  files.end();
  await Promise.all([finished(files), finished(datasets)]);
  process.stderr.write(`${written} files in ${seen.size} datasets\n`);
  return paths;
}

const drained = (out: ReturnType<typeof createWriteStream>): Promise<void> =>
  new Promise((resolve) => out.once("drain", resolve));

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const stac = (service: Service, path: string, query: Query): Target => ({
  url: service.url(path, query).replace("/databrowser/", "/stac/"),
});

/** Medians of requests of two kinds, in turn, each once: nothing is answered from a cache. */
async function inTurn(client: RemoteClient, ours: readonly Target[], others: readonly Target[]) {
  const targets = ours.flatMap((one, index) => [one, others[index] as Target]);
  const { each } = await client.do("series", { targets, clients: 1 });
  const of = (rest: number): number => median(each.filter((_, index) => index % 2 === rest));
  return { ours: of(0), other: of(1) };
}

/** The row of two times; without a bound the ratio is only told. */
function compared(what: string, time: { ours: number; other: number }, bound?: number): Row {
  const ratio = time.ours / time.other;
  return {
    what,
    ours: milliseconds(time.ours),
    solr: milliseconds(time.other),
    ratio: ratio.toFixed(2),
    target: bound === undefined ? "" : `<= ${bound.toFixed(1)}`,
    met: bound === undefined ? undefined : ratio <= bound,
  };
}

/** A request of Solr for the files that are items, as the service filters them. */
function select(
  { solr }: Service,
  more: Readonly<Record<string, string>>,
  filters: readonly string[] = [],
): Target {
  const query = new URLSearchParams({ q: "*:*", ...more });
  for (const filter of [...allItems().filters, ...filters]) query.append("fq", filter);
  return solr.target(`files/select?${query}`);
}

/** A request for facets. */
const facets = (service: Service, facet: object, filters: readonly string[] = []): Target =>
  select(service, { rows: "0", "json.facet": JSON.stringify(facet) }, filters);

/** The names of datasets at some places of their order. */
async function namesAt(service: Service, places: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const offset of places) {
    const names = { type: "terms", field: "dataset_id", sort: "index", limit: 1, offset };
    const { url, headers } = facets(service, { names });
    const response = await fetch(url, { headers: { ...headers } });
    const answer = (await response.json()) as { facets: { names: { buckets: { val: string }[] } } };
    found.push(answer.facets.names.buckets[0]?.val ?? "");
  }
  return found;
}

async function pages(service: Service, client: RemoteClient, datasets: number): Promise<Row> {
  const far = Math.min(FAR_PAGE, Math.floor(datasets / PAGE) - ROUNDS - 1);
  const at = async (page: number): Promise<Target[]> => {
    const places = range(ROUNDS + 1).map((round) => (page + round) * PAGE - 1);
    const found = await namesAt(service, places);
    return found.map((name) => {
      const token = encodeCursor({ name, values: [] });
      return stac(service, "search", { limit: String(PAGE), token });
    });
  };
  const time = await inTurn(client, await at(far - 1), await at(1));
  return compared(`page ${far} of ${PAGE} items, against the pages after page 1`, time, 1.5);
}

async function aggregations(service: Service, client: RemoteClient): Promise<Row> {
  const properties = ["source_id", "experiment_id", "table_id", "institution_id"];
  const chosen = ["total_count", ...properties.map((name) => `cmip6_${name}_frequency`)].join(",");
  const models = range(CARDINALITIES.models).map((index) => names.model(index));
  const ours = models.filter((_, index) => index % 2 === 0);
  const time = await inTurn(
    client,
    ours.map((model) =>
      stac(service, "aggregate", { aggregations: chosen, filter: `source_id <> '${model}'` }),
    ),
    ours.map((_, index) => {
      const model = models[2 * index + 1] ?? "";
      return { url: service.url("metadata-search/cmip6/file", { source_id_not_: model }) };
    }),
  );
  return compared("an aggregation of four properties, against metadata-search", time, 1.5);
}

async function items(service: Service, client: RemoteClient): Promise<Row> {
  const starts = await namesAt(
    service,
    range(ROUNDS * 2 + 1).map((page) => page * ITEMS),
  );
  const pairs = range(ROUNDS).map((round) => starts.slice(2 * round, 2 * round + 3));
  const ours = pairs.map(([before = ""]) => {
    const token = encodeCursor({ name: before, values: [] });
    return stac(service, "search", { limit: String(ITEMS), token });
  });
  const raw = pairs.map(([, from = "", to = ""]) => {
    return select(service, { rows: "10000", fl: "*" }, [`dataset_id:{"${from}" TO "${to}"]`]);
  });
  const time = await inTurn(client, ours, raw);
  return compared(
    `a page of ${ITEMS} items, against Solr's answer with as many datasets' files`,
    time,
    5,
  );
}

/** Names of a page and the number of all, grouped by Solr from files, and read from a collection of datasets. */
async function grouping(
  service: Service,
  client: RemoteClient,
  what: string,
  filtersOf: (index: number) => string[],
) {
  const grouped = range(ROUNDS * 2).map((index) => {
    const names = { type: "terms", field: "dataset_id", sort: "index", limit: PAGE + 1 };
    return facets(service, { names, datasets: "unique(dataset_id)" }, filtersOf(index));
  });
  const read = range(ROUNDS * 2).map((index) => {
    const query = new URLSearchParams({
      q: "*:*",
      rows: String(PAGE + 1),
      fl: "dataset_id",
      sort: "dataset_id asc",
    });
    for (const filter of filtersOf(index)) query.append("fq", filter);
    return service.solr.target(`${CORE}/select?${query}`);
  });
  return compared(
    `${what}: grouped from files, against a collection of datasets`,
    await inTurn(client, grouped, read),
  );
}

await runBench<Catalogue>({
  command: "stac",
  other: "against",
  make,
  async *measure(service, client, catalogue) {
    await service.index(catalogue.files);
    const { url, headers } = facets(service, { datasets: "unique(dataset_id)" });
    const counted = await fetch(url, { headers: { ...headers } });
    const { facets: numbers } = (await counted.json()) as { facets: { datasets: number } };
    yield [await pages(service, client, numbers.datasets)];
    yield [await aggregations(service, client)];
    yield [await items(service, client)];
    await service.solr.createCore(CORE);
    const target = service.solr.target(`${CORE}/update?commit=true`);
    await client.do("upload", { targets: [target], file: catalogue.datasets });
    const except = (index: number) => [`-model:"${names.model(index)}"`];
    const one = (index: number) => [`model:"${names.model(index)}"`];
    yield [
      await grouping(service, client, "all but one model", except),
      await grouping(service, client, "one model", one),
    ];
    await service.solr.removeCore(CORE);
  },
});
