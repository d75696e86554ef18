/** Measures the index rate: the command `index` against raw bulk requests to Solr. */
import type { RemoteClient } from "./remote-client.js";
import { median, perSecond, type Row } from "./report.js";
import type { Service } from "./service.js";

export interface Catalogue {
  readonly lines: string;
  readonly array: string;
  readonly count: number;
}

const BARE = ["bare1", "bare2"] as const;

/** Posts the whole catalogue to new cores with the same configuration, in one request each. */
async function bulk(
  { solr }: Service,
  client: RemoteClient,
  { array, count }: Catalogue,
  cores: readonly string[],
): Promise<number> {
  for (const core of cores) await solr.createCore(core);
  const targets = cores.map((core) => solr.target(`${core}/update?commit=true`));
  const { whole } = await client.do("upload", { targets, file: array });
  for (const core of cores) {
    const found = await solr.count(core);
    if (found !== count) throw new Error(`${core} has ${found} documents of ${count}`);
    await solr.removeCore(core);
  }
  return whole;
}

async function load(service: Service, { lines, count }: Catalogue): Promise<number> {
  await service.solr.empty("files");
  const whole = await service.index(lines);
  const found = await service.solr.count("files");
  if (found !== count) throw new Error(`files has ${found} documents of ${count}`);
  return whole;
}

/** The catalogue stays loaded. */
export async function measureIndex(
  service: Service,
  client: RemoteClient,
  catalogue: Catalogue,
  rounds: number,
): Promise<Row[]> {
  const times: { ours: number; one: number; two: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await bulk(service, client, catalogue, BARE.slice(0, 1));
    const two = await bulk(service, client, catalogue, BARE);
    times.push({ one, two, ours: await load(service, catalogue) });
  }
  const rate = (name: "ours" | "one" | "two"): number =>
    (catalogue.count / median(times.map((time) => time[name]))) * 1000;
  const ratio = (name: "one" | "two"): number =>
    median(times.map((time) => time[name] / time.ours));
  const row = (name: "one" | "two", what: string): Row => ({
    what,
    ours: perSecond(rate("ours")),
    solr: perSecond(rate(name)),
    ratio: ratio(name).toFixed(2),
    target: name === "one" ? ">= 0.85" : "",
    met: name === "one" ? ratio(name) >= 0.85 : undefined,
  });
  return [
    row("one", "index (two cores), against one bulk request to one core"),
    row("two", "index (two cores), against two bulk requests to two cores"),
  ];
}
