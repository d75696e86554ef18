/** Measures speed and memory of catalogues, against Solr's /export of the same fields. */

import { newest } from "../src/domain/search/lucene.js";
import { FLAVOURS } from "../src/domain/vocabulary/flavours.js";
import { intakeFields } from "../src/server/formats/intake.js";
import { stacFields } from "../src/server/formats/stac/archive.js";
import { RemoteClient } from "./remote-client.js";
import { alone, median, megabytes, milliseconds, perSecond, type Row } from "./report.js";
import type { Service } from "./service.js";

const SOURCE = {
  flavour: FLAVOURS.cmip6,
  key: "file",
  translate: true,
  multiVersion: false,
  filters: [],
  options: {},
  api: "",
  stream: () => "",
} as const;

const exportOf = (fields: readonly string[]): string =>
  `files/export?q=*:*&fq=${encodeURIComponent(newest("-user:*"))}&sort=file+desc&fl=${fields.join(",")}`;

const PINGS = 400;

interface Run {
  readonly whole: number;
  readonly solr: number;
  readonly cpu: number;
}

async function runs(
  service: Service,
  client: RemoteClient,
  path: string,
  fields: readonly string[],
  rounds: number,
): Promise<Run[]> {
  const times: Run[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await service.cpuSeconds();
    const { whole } = await client.do("download", { target: { url: service.url(path) } });
    const cpu = (await service.cpuSeconds()) - before;
    const raw = await client.do("download", { target: service.solr.target(exportOf(fields)) });
    times.push({ whole, solr: raw.whole, cpu });
  }
  return times;
}

async function growth(service: Service, client: RemoteClient, path: string): Promise<number> {
  const short = service.url(path, { source_id: "model-that-does-not-exist*", start: "0" });
  for (let i = 0; i < 20; i++) await client.do("download", { target: { url: short } });
  const { now } = await service.memory();
  await service.resetPeak();
  await client.do("download", { target: { url: service.url(path) } });
  return (await service.memory()).peak - now;
}

/** The 99th percentile of ping times in ms while an archive is made. */
async function pingsMeanwhile(service: Service, client: RemoteClient): Promise<number> {
  const pinger = new RemoteClient();
  try {
    const ping = { url: service.url("stac-catalogue/cmip6/file").replace(/databrowser.*/, "ping") };
    const archive = { target: { url: service.url("stac-catalogue/cmip6/file") } };
    let making = true;
    const made = client.do("download", archive).finally(() => {
      making = false;
    });
    const times: number[] = [];
    while (making) {
      const targets = Array.from({ length: PINGS }, () => ping);
      times.push(...(await pinger.do("series", { targets, clients: 1 })).each);
    }
    await made;
    times.sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  } finally {
    pinger.close();
  }
}

/** An intake catalogue of all documents: time against Solr, and memory growth of the service. */
export async function measureIntake(
  service: Service,
  client: RemoteClient,
  rounds: number,
): Promise<Row[]> {
  const path = "intake-catalogue/cmip6/file";
  const count = await service.solr.count("files", "latest:true");
  const grown = await growth(service, client, path);
  const times = await runs(service, client, path, intakeFields(SOURCE), rounds);
  const ratio = median(times.map(({ whole, solr }) => whole / solr));
  return [
    {
      what: `intake of ${count.toLocaleString("en")} entries, against /export of its fields`,
      ours: milliseconds(median(times.map(({ whole }) => whole))),
      solr: milliseconds(median(times.map(({ solr }) => solr))),
      ratio: ratio.toFixed(2),
      target: "<= 1.50",
      met: ratio <= 1.5,
    },
    alone("intake: growth of memory", megabytes(grown), "< 60 MB", grown < 61_440),
  ];
}

/** A STAC archive of all documents: time against Solr, processor time, and delay of other requests. */
export async function measureStac(
  service: Service,
  client: RemoteClient,
  rounds: number,
): Promise<Row[]> {
  const path = "stac-catalogue/cmip6/file";
  const count = await service.solr.count("files", "latest:true");
  const grown = await growth(service, client, path);
  const times = await runs(service, client, path, stacFields(SOURCE), rounds);
  const rate = median(times.map(({ cpu }) => count / cpu));
  const p99 = await pingsMeanwhile(service, client);
  return [
    {
      what: `stac of ${count.toLocaleString("en")} items, against /export of its fields`,
      ours: milliseconds(median(times.map(({ whole }) => whole))),
      solr: milliseconds(median(times.map(({ solr }) => solr))),
      ratio: median(times.map(({ whole, solr }) => whole / solr)).toFixed(2),
      target: "",
      met: undefined,
    },
    alone("stac: items a second of one core", perSecond(rate), ">= 5,000/s", rate >= 5000),
    alone("stac: growth of memory", megabytes(grown), "< 100 MB", grown < 102_400),
    alone("stac: /ping meanwhile, 99th percentile", milliseconds(p99), "< 100 ms", p99 < 100),
  ];
}
