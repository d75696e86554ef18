/**
 * Measures the cost of document details, and which queries for them are faster. README.md in this folder has the
 * results.
 *
 *     npx tsx bench/measure-fields.ts [N]
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { documents } from "./make-catalogue.js";
import { median } from "./report.js";
import { Service } from "./service.js";

const ROUNDS = 7;
const BATCH = 20_000;

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const digest = (number: number, algorithm: string): string =>
  createHash(algorithm).update(String(number)).digest("hex");

/** Details of a file as found by a crawl. */
const details = (number: number): object => ({
  size: 1_000_000 + ((number * 7919) % 500_000_000),
  checksum: `sha256:${digest(number, "sha256")}`,
  modified: new Date(1.5e12 + number * 97_700).toISOString(),
  tracking_id: [`hdl:21.14100/${digest(number, "md5")}`],
  standard_name: [`standard_name_${number % 300}`],
  long_name: [`Long Name of Variable ${number % 300}`],
  units: [`unit-${number % 40}`],
  nominal_resolution: `${100 + (number % 5) * 50} km`,
  license: `CMIP6 model data produced by INST-${number % 40} is licensed under CC BY 4.0`,
  further_info_url: `https://furtherinfo.example.org/CMIP6.${Math.floor(number / 300)}`,
  retracted: number % 50 === 0,
});

async function write(path: string, count: number, full: boolean): Promise<void> {
  const out = createWriteStream(path);
  let number = 0;
  for (const text of documents(count)) {
    number += 1;
    const line = full ? `${text.slice(0, -1)},${JSON.stringify(details(number)).slice(1)}` : text;
    if (!out.write(`${line}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

/** Bytes of a core's index after a merge to one segment. */
async function bytesOf({ solr }: Service, core: string): Promise<number> {
  await solr.get(`${core}/update?optimize=true&maxSegments=1&waitSearcher=true`);
  const text = await solr.get(`admin/cores?action=STATUS&core=${core}&indexInfo=true&wt=json`);
  const { status } = JSON.parse(text) as {
    status: Record<string, { index: { sizeInBytes: number } }>;
  };
  return status[core]?.index.sizeInBytes ?? 0;
}

/** Posts the documents without details. */
async function post({ solr }: Service, core: string, count: number): Promise<void> {
  let batch: object[] = [];
  const send = async (): Promise<void> => {
    await solr.update(core, batch);
    batch = [];
  };
  for (const text of documents(count)) {
    batch.push(JSON.parse(text));
    if (batch.length === BATCH) await send();
  }
  if (batch.length > 0) await send();
}

interface Question {
  readonly what: string;
  readonly query: Readonly<Record<string, string>>;
}

const facet = (what: string, asked: object, filter?: string): Question => ({
  what,
  query: { "json.facet": JSON.stringify(asked), ...(filter && { fq: filter }) },
});

const DATASETS = { type: "terms", field: "dataset_id" };
/** All documents, and about a tenth of them. */
const SOME = "{!cache=false}variable:(var00* OR var01* OR var02*)";
const PERIODS = {
  "one year": ["1900-01-01T00:00:00Z", "1900-12-31T23:59:59Z"],
  "a century": ["1900-01-01T00:00:00Z", "1999-12-31T23:59:59Z"],
} as const;

const QUESTIONS: readonly Question[] = [
  ...[undefined, SOME].flatMap((filter) => {
    const of = filter ? "of a tenth: " : "";
    return [
      facet(`${of}unique(dataset_id)`, { answer: "unique(dataset_id)" }, filter),
      facet(`${of}hll(dataset_id)`, { answer: "hll(dataset_id)" }, filter),
      facet(`${of}sum(size)`, { answer: "sum(size)" }, filter),
      facet(`${of}min(time_start)`, { answer: "min(time_start)" }, filter),
      facet(`${of}max(time_end)`, { answer: "max(time_end)" }, filter),
      facet(`${of}10 of dataset_id by name`, { answer: { ...DATASETS, sort: "index" } }, filter),
      facet(
        `${of}10 of dataset_id by count, with their number`,
        { answer: { ...DATASETS, numBuckets: true } },
        filter,
      ),
      facet(
        `${of}the same with sum(size) of each`,
        { answer: { ...DATASETS, facet: { size: "sum(size)" } } },
        filter,
      ),
    ];
  }),
  ...Object.entries(PERIODS).flatMap(([name, [from, to]]) => [
    {
      what: `overlaps ${name}: range`,
      query: { fq: `{!field f=time op=Intersects cache=false}[${from} TO ${to}]` },
    },
    {
      what: `overlaps ${name}: points`,
      query: { fq: `{!cache=false}+time_start:[* TO ${to}] +time_end:[${from} TO *]` },
    },
    {
      what: `lies in ${name}: range`,
      query: { fq: `{!field f=time op=Within cache=false}[${from} TO ${to}]` },
    },
    {
      what: `lies in ${name}: points`,
      query: { fq: `{!cache=false}+time_start:[${from} TO *] +time_end:[* TO ${to}]` },
    },
  ]),
];

async function ask({ solr }: Service, { what, query }: Question): Promise<string> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "0", wt: "json", ...query });
  const times: number[] = [];
  let answer = "";
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begin = performance.now();
    const text = await solr.get(`files/select?${parameters}`);
    // The first round fills the caches.
    if (round > 0) times.push(performance.now() - begin);
    const { facets, response } = JSON.parse(text) as {
      facets?: { answer?: unknown };
      response: { numFound: number };
    };
    const result = facets?.answer ?? response.numFound;
    answer = typeof result === "object" ? JSON.stringify(result).slice(0, 40) : String(result);
  }
  return `| ${what} | ${median(times).toFixed(1)} ms | ${answer} |`;
}

const [given = "100000"] = process.argv.slice(2);
const count = Number(given);
if (!Number.isSafeInteger(count) || count < 1000) {
  say("Usage: npx tsx bench/measure-fields.ts [N]   (N documents, at least 1000)");
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const load = loadavg()[0]?.toFixed(1);
try {
  const [plain, full] = [join(folder, "plain.jsonl"), join(folder, "full.jsonl")];
  await write(plain, count, false);
  await write(full, count, true);
  const service = await Service.start(join(folder, "data"));
  const lines: string[] = [];
  try {
    say("Without details");
    await service.solr.createCore("bare");
    await post(service, "bare", count);
    const bare = await bytesOf(service, "bare");
    await service.solr.removeCore("bare");
    const sizes: string[] = [];
    for (const [what, file] of [
      ["those that the service makes", plain],
      ["all details", full],
    ] as const) {
      say(`With ${what}`);
      await service.solr.empty("files");
      const time = await service.index(file);
      const more = (await bytesOf(service, "files")) - bare;
      const rate = Math.round((count / time) * 1000).toLocaleString("en");
      sizes.push(`| ${what} | +${(more / count).toFixed(0)} bytes | index: ${rate}/s |`);
    }
    lines.push(`| added and updated alone | ${(bare / count).toFixed(0)} bytes | |`, ...sizes);
    for (const question of QUESTIONS) {
      say(question.what);
      lines.push(await ask(service, question));
    }
  } finally {
    await service.stop();
  }
  const heading = `${count.toLocaleString("en")} documents, load before the run ${load}`;
  process.stdout.write(`\n${heading}\n\n| | | |\n|---|---|---|\n${lines.join("\n")}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
