/** The service that `costs.ts` measures, what is in its index, and the requests of each row. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { newest } from "../../src/domain/search/lucene.js";
import { packagePath } from "../../src/platform/package-root.js";
import { documents } from "../make-catalogue.js";
import { Service } from "../service.js";
import { type ChunkSize, chunkBytes, chunkKey, writeChunkFile } from "./chunk-file.js";
import type { Floors } from "./floors.js";

/** Something to request again and again. */
export interface Target {
  /** Address of the n-th request. */
  url(n: number): string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  /** Requests of a round, so that a round takes about a quarter of a second of processor time. */
  readonly requests: number;
  /** Lines or items in an answer: the cost is that of one. */
  readonly items?: number;
  /** Paths that an answer lists, here and at the floor. */
  readonly lines?: number;
  readonly floorName: string;
  ours(subject: Subject): Target;
  floor(floors: Floors, service: Service): Promise<Target> | Target;
}

/** A running service with what the requests need. */
export interface Subject {
  readonly service: Service;
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** zarr address of the made chunks, and of a file of the sample whose chunks are made from contiguous values. */
  readonly chunks: string;
  readonly rendered: string;
}

/** Made documents, and the first of them, which have a value of their own. */
const LINES = { many: 10_000, some: 100 };
const SOME = "hundred";

/** Writes what is indexed: the sample, made documents of project `bench`, and the file of chunks. */
async function writeIndexed(folder: string): Promise<string> {
  const sample = (await readFile(packagePath("data", "catalogue.jsonl"), "utf8"))
    .trim()
    .split("\n");
  const located = sample.map((line) => {
    const document = JSON.parse(line) as { file: string };
    return JSON.stringify({ ...document, file: resolve(packagePath("data"), document.file) });
  });
  const made = [...documents(LINES.many)].slice(0, LINES.many).map((line, i) => {
    const document = JSON.parse(line) as object;
    const product = i < LINES.some ? { product: [SOME] } : {};
    return JSON.stringify({ ...document, ...product, project: ["bench"] });
  });
  const chunks = JSON.stringify({ file: join(folder, "chunks.nc"), project: ["chunks"] });
  const path = join(folder, "catalogue.jsonl");
  await writeFile(path, `${[...located, ...made, chunks].join("\n")}\n`);
  return path;
}

/** Starts a service. @param root checkout to run */
export async function startSubject(folder: string, root: string): Promise<Subject> {
  await mkdir(folder, { recursive: true });
  await writeChunkFile(join(folder, "chunks.nc"));
  const roots = `${packagePath("data", "files")}:${folder}`;
  const service = await Service.start(
    join(folder, "data"),
    { DATA_ROOTS: roots, LIMIT_REQUESTS: "1000000", LOG_LEVEL: "info" },
    root,
  );
  await service.index(await writeIndexed(folder));
  const headers = { Authorization: `Bearer ${await service.token()}` };
  const load = async (query: Readonly<Record<string, string>>): Promise<string> => {
    const response = await fetch(service.url("load/native", query), { headers });
    const [address = ""] = (await response.text()).split("\n");
    if (!response.ok || address === "") throw new Error(`no zarr address: ${address}`);
    return address;
  };
  return {
    service,
    headers,
    api: service.url("").replace(/\/databrowser\/?$/, ""),
    chunks: await load({ project: "chunks" }),
    rendered: await load({ model: "MPI-ESM1-2-LR", experiment: "historical", variable: "tas" }),
  };
}

/** @throws Error if an answer of the service, or of its floor, lists another number of paths than the row says */
export async function checkLines(row: Row, subject: Subject, floors: Floors): Promise<void> {
  if (row.lines === undefined) return;
  const read = async ({ url }: Target): Promise<string> => (await fetch(url(0))).text();
  const ours = (await read(row.ours(subject))).split("\n").length - 1;
  const least = (await read(await row.floor(floors, subject.service))).match(/"file":/g) ?? [];
  if (ours === row.lines && least.length === row.lines) return;
  throw new Error(`${row.name}: ${ours} lines, and ${least.length} at the floor`);
}

/** A period that differs for each number. */
const periodOf = (n: number): string =>
  new Date(Date.UTC(1980, 0, 1) + n * 1000).toISOString().slice(0, 19);

const MADE = { project: "bench" };
const SAMPLE = { project: "cmip6" };
const FILTER = `fq=${encodeURIComponent(newest("-user:*"))}`;
/** All versions are listed, because the made documents have older ones. */
const VERSIONS = { "multi-version": "true" };
/** Solr's list of the paths that have a filter. */
const listOf = (filter: string): string =>
  `/files/export?q=*:*&fq=-user:*&fq=${filter}&sort=file+desc&fl=file`;
const ofRelay = (path: string) => (floors: Floors) => ({ url: () => floors.relay + path });

/** Solr's own counts of all facets, as the service asks for them. */
async function allFacets(floors: Floors, service: Service): Promise<Target> {
  const { url } = await service.solr.facetRequest({ mip_era: "cmip6" });
  const address =
    floors.relay + url.slice(service.solr.target("").url.replace(/\/?\?.*$/, "").length);
  return { url: () => address };
}

const search = (
  name: string,
  requests: number,
  query: (n: number) => Readonly<Record<string, string>>,
  headers?: Target["headers"],
): Pick<Row, "name" | "requests" | "ours" | "floorName"> => ({
  name: `metadata-search, ${name}`,
  requests,
  floorName: "relay of /select",
  ours: ({ service }) => ({
    url: (n) => service.url("metadata-search/native/file", query(n)),
    headers,
  }),
});

/** As browsers and Python's requests send it. */
const GZIP = { "Accept-Encoding": "gzip, deflate" };

const list = (
  size: number,
  requests: number,
  query: Readonly<Record<string, string>>,
  headers?: Target["headers"],
) => ({
  name: `data-search of ${size.toLocaleString("en")} lines${headers ? ", gzip" : ""}`,
  requests,
  floorName: "relay of /export",
  ours: ({ service }: Subject) => {
    const url = service.url("data-search/native/file", { ...query, ...VERSIONS });
    return { url: () => url, headers };
  },
  lines: size,
});

const catalogue = (name: string, requests: number) => ({
  name: `${name}, an item`,
  requests,
  items: LINES.some,
  floorName: "relay of /export",
  ours: ({ service }: Subject) => {
    const url = service.url(`${name}-catalogue/native/file`, { product: SOME, ...VERSIONS });
    return { url: () => url };
  },
  floor: ofRelay(listOf(`product:${SOME}`)),
});

const stored = (variable: ChunkSize, size: string, requests: number): Row => ({
  name: `stored chunk of ${size} MB`,
  requests,
  floorName: "reader",
  ours: ({ chunks, headers }) => ({ url: (n) => `${chunks}/${chunkKey(variable, n)}`, headers }),
  floor: ({ reader }) => ({ url: () => `${reader}/4096/${chunkBytes(variable)}` }),
});

const zarr = (name: string, key: (subject: Subject) => string, requests: number): Row => ({
  name,
  requests,
  floorName: "Hono alone",
  ours: (subject) => ({ url: () => key(subject), headers: subject.headers }),
  floor: ({ hono }) => ({ url: () => hono }),
});

export const ROWS: readonly Row[] = [
  zarr("token check", ({ api }) => `${api}/auth/v2/status`, 2000),
  {
    name: "ping",
    requests: 4000,
    floorName: "Hono alone",
    ours: ({ api }) => ({ url: () => `${api}/ping` }),
    floor: ({ hono }) => ({ url: () => hono }),
  },
  { ...search("kept", 2000, () => SAMPLE), floor: allFacets },
  { ...search("kept, gzip", 2000, () => SAMPLE, GZIP), floor: allFacets },
  { ...search("new", 400, (n) => ({ ...SAMPLE, time: periodOf(n) })), floor: allFacets },
  {
    ...search("new, gzip", 400, (n) => ({ ...SAMPLE, time: periodOf(n) }), GZIP),
    floor: allFacets,
  },
  {
    ...search("new, one facet", 500, (n) => ({
      ...SAMPLE,
      facets: "variable",
      time: periodOf(n),
    })),
    floor: ofRelay(
      `/files/select?q=*:*&rows=0&${FILTER}&fq=project:cmip6&facet=true&facet.field=variable&facet.limit=-1&facet.mincount=1`,
    ),
  },
  { ...search("new, all documents", 60, (n) => ({ time: periodOf(n) })), floor: allFacets },
  { ...list(0, 500, { ...SAMPLE, product: SOME }), floor: ofRelay(listOf("product:nothing")) },
  { ...list(LINES.some, 400, { product: SOME }), floor: ofRelay(listOf(`product:${SOME}`)) },
  {
    ...list(LINES.some, 400, { product: SOME }, GZIP),
    floor: ofRelay(listOf(`product:${SOME}`)),
  },
  { ...list(LINES.many, 16, MADE, GZIP), floor: ofRelay(listOf("project:bench")) },
  { ...list(LINES.many, 16, MADE), floor: ofRelay(listOf("project:bench")) },
  catalogue("intake", 60),
  catalogue("stac", 30),
  zarr("zarr metadata", ({ chunks }) => `${chunks}/.zmetadata`, 1500),
  stored("small", "0.02", 1200),
  stored("middle", "0.2", 800),
  stored("large", "2", 150),
  zarr("decoded chunk, kept", ({ rendered }) => `${rendered}/tas/0.0.0`, 1200),
  {
    name: "datasets, a page",
    requests: 60,
    floorName: "relay of /select",
    ours: ({ service }) => {
      const url = service.url("datasets/native", SAMPLE);
      return { url: () => url };
    },
    floor: ofRelay(`/files/select?q=*:*&rows=100&${FILTER}&fq=project:cmip6`),
  },
];
