/** Reading from a SolrCloud of three nodes, of which one is killed, hangs, or is not there at the start. */
import { setTimeout as sleep } from "node:timers/promises";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SolrAdmin } from "../../../src/index/collections/admin.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { setUpCollections } from "../../../src/index/collections/set-up-collections.js";
import type { SolrTopology } from "../../../src/index/collections/shards.js";
import { solrEndpoint } from "../../../src/index/transport/endpoint.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import {
  load,
  startService,
  type TestDocument,
  type TestService,
} from "../../support/service/service.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const NODES = 3;
const NAMES = ["files", "state"] as const;
const ROUNDS = attempts(4, 20);
const COUNT = attempts(6000, 20_000);

/** What is asked while a node is killed; each time the answer must be the same. */
const REQUESTS = {
  list: "/databrowser/data-search/native/file?multi-version=true",
  "list of locations": "/databrowser/data-search/native/uri?multi-version=true&start=7",
  facets: "/databrowser/metadata-search/native/file?multi-version=true",
  intake: "/databrowser/intake-catalogue/native/file?multi-version=true&model=m1",
  STAC: "/databrowser/stac-catalogue/native/uri?multi-version=true&model=m2",
} as const;
type Kind = keyof typeof REQUESTS;
const KINDS = Object.keys(REQUESTS) as Kind[];

const DOCUMENTS: readonly TestDocument[] = Array.from({ length: COUNT }, (_, i) => {
  const [dataset, year] = [`ds${i % 400}`, 1850 + Math.floor(i / 400)];
  // A few paths stand elsewhere by code points than by UTF-16.
  const odd = i % 997 === 0 ? (i % 2 === 0 ? "\u{1f30d}" : "\uffee") : "";
  const file = `/pool/data/${dataset}/${odd}tas_Amon_${dataset}_gn_${year}01-${year}12.nc`;
  return {
    file,
    uri: `file://${file}`,
    project: ["CMIP6"],
    variable: ["tas"],
    version: "v1",
    model: [`m${i % 20}`],
    time: `[${year}-01-01T00:00:00Z TO ${year}-12-31T00:00:00Z]`,
  };
});

const cloud = useCloud({ nodes: NODES });
let topology: SolrTopology;
let service: TestService;
const whole = new Map<Kind, string>();

/** An answer as a text, or what failed visibly. */
async function ask(path: string, of = service): Promise<{ text?: string; failure?: string }> {
  try {
    const response = await of.get(path);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) return { failure: `${response.status}` };
    return { text: textOf(bytes) };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** Of an archive its files; without the time at which it was made. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    return Buffer.from(bytes)
      .toString("utf8")
      .replace(/"last_updated": ?"[^"]*"/, "");
  }
  const files = Object.entries(unzipSync(bytes)).sort(([a], [b]) => (a < b ? -1 : 1));
  return files.map(([name, body]) => `${name}\n${Buffer.from(body).toString("utf8")}`).join("\n");
}

/** Where an answer is not as it was. */
function difference(kind: Kind, text: string): string {
  const before = whole.get(kind) ?? "";
  const at = [...before].findIndex((character, i) => character !== text[i]);
  const around = (all: string): string =>
    JSON.stringify(all.slice(Math.max(0, at - 100), at + 100));
  return `${kind}: ${text.length} of ${before.length}, ${around(text)}, not ${around(before)}`;
}

/** Milliseconds until a request that is made again and again succeeds. */
async function untilAnswered(path: string): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const { text } = await ask(path);
    if (text !== undefined) return performance.now() - begin;
    if (performance.now() - begin > 60_000) throw new Error(`no answer to ${path}`);
    await sleep(50);
  }
}

const one = "/databrowser/data-search/native/file?multi-version=true&dataset_id=none";
const count = (i: number): string =>
  `/databrowser/metadata-search/native/file?multi-version=true&model=m${i % 20}`;

beforeAll(async () => {
  topology = await layOut(cloud, { shards: 2, replicas: 2 });
  service = await startService({ endpoint: cloud.endpoint, topology });
  expect(await load(service.solr, DOCUMENTS)).toMatchObject({ refused: 0 });
  for (const kind of KINDS) {
    const { text, failure } = await ask(REQUESTS[kind]);
    if (text === undefined) throw new Error(`${kind}: ${failure}`);
    whole.set(kind, text);
  }
  expect(whole.get("list")?.split("\n")).toHaveLength(COUNT + 1);
}, 600_000);
afterAll(() => service?.close());

describe("a node killed during lists, facets and catalogues", () => {
  it(
    "leaves every answer complete or visibly broken, and the next request works within 5 seconds",
    async () => {
      const random = chance(SEED);
      const [broken, wrong]: [string[], string[]] = [[], []];
      const figures = { kills: 0, answers: 0, broken, wrong, longest: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        const victim = Math.floor(random() * NODES);
        const reading = KINDS.map(async (kind) => {
          await sleep(random() * 300);
          for (let again = 0; again < 3; again++) {
            const { text, failure } = await ask(REQUESTS[kind]);
            figures.answers += 1;
            if (failure !== undefined) figures.broken.push(`${kind} ${failure}`);
            else if (text !== whole.get(kind)) figures.wrong.push(difference(kind, text ?? ""));
          }
        });
        await sleep(random() * 500);
        await cloud.kill(victim);
        figures.kills += 1;
        for (const path of [one, count(round)]) {
          figures.longest = Math.max(figures.longest, await untilAnswered(path));
        }
        await Promise.all(reading);
        await cloud.start(victim);
        await cloud.whole(120_000);
      }
      console.log(JSON.stringify(figures));
      expect(wrong, `SEED=${SEED}`).toEqual([]);
      expect(figures.longest).toBeLessThan(5000);
      // A replica has all of it, so that hardly anything has to break.
      expect(broken.length).toBeLessThanOrEqual(figures.answers / 20);
    },
    patience(300_000, 2_400_000),
  );
});

describe("a node that hangs", () => {
  it("delays nobody for more than a few seconds", async () => {
    for (let victim = 0; victim < attempts(1, NODES); victim++) {
      cloud.pause(victim);
      try {
        const asked = Array.from({ length: 12 }, async (_, i) => {
          await sleep(i * 100);
          const begin = performance.now();
          const path = i % 3 === 0 ? REQUESTS.list : count(i);
          const { text, failure } = await ask(path);
          if (i % 3 === 0 && text !== undefined) expect(text).toBe(whole.get("list"));
          return { path, failure, took: performance.now() - begin };
        });
        const all = await Promise.all(asked);
        console.log(JSON.stringify(all.map(({ took, failure }) => [Math.round(took), failure])));
        for (const { failure, took } of all) {
          expect(failure).toBeUndefined();
          expect(took).toBeLessThan(10_000);
        }
        const begin = performance.now();
        expect((await ask(count(7))).failure).toBeUndefined();
        expect(performance.now() - begin).toBeLessThan(3000);
      } finally {
        cloud.resume(victim);
      }
      await cloud.whole(120_000);
    }
  });
});

describe("a node that is down at the start", () => {
  it("is no outage, wherever it is among the addresses", async () => {
    for (const [kill, restore] of [
      [() => cloud.kill(0), () => cloud.start(0)],
      [async () => cloud.pause(0), async () => cloud.resume(0)],
    ] as const) {
      await kill();
      try {
        const begin = performance.now();
        const seen = await inspectCollections(cloud.endpoint, NAMES);
        expect(seen).toEqual(topology);
        const other = await startService({ endpoint: cloud.endpoint, topology: seen });
        expect((await ask(count(3), other)).failure).toBeUndefined();
        // A start writes to `state`, whose silent leader is replaced once its session with ZooKeeper has expired.
        expect(performance.now() - begin).toBeLessThan(60_000);
        await other.close();
        const setup = { shards: 2, replicas: 2, report: () => {} };
        await setUpCollections(new SolrAdmin(cloud.endpoint), setup);
      } finally {
        await restore();
      }
      await cloud.whole(120_000);
    }
    const [first, ...others] = cloud.endpoint.urls.map(({ href }) => href);
    const wrong = solrEndpoint(["http://127.0.0.1:9/solr", first, ...others].join(","));
    expect(await inspectCollections(wrong, NAMES)).toEqual(topology);
  });
});

describe("missing shards", () => {
  it("are 503 within a bounded time, never a short answer, and ready is false", async () => {
    const layout = await cloud.leadingNodes("files");
    // Two of three nodes: of some shard no replica is left, or the third has both and answers.
    const killed = [...new Set([...Object.values(layout), 0, 1, 2])].slice(0, 2);
    for (const node of killed) await cloud.kill(node);
    for (const kind of KINDS) {
      const begin = performance.now();
      const { text } = await ask(REQUESTS[kind]);
      if (text !== undefined) expect(text).toBe(whole.get(kind));
      expect(performance.now() - begin).toBeLessThan(12_000);
    }
    for (const node of [0, 1, 2]) if (!killed.includes(node)) await cloud.kill(node);
    await ask(count(1));
    for (const path of [...Object.values(REQUESTS), "/ready"]) {
      const begin = performance.now();
      expect(await ask(path)).toEqual({ failure: "503" });
      expect(performance.now() - begin).toBeLessThan(3000);
    }
    // One node tells the state of the cluster, whose shards have no leader.
    await cloud.start(0);
    await expect
      .poll(async () => (await service.get("/ready")).text(), { timeout: 120_000 })
      .toMatch(/No leader: files_\d shard\d.+action=FORCELEADER&collection=files_\d&shard=shard\d/);
    await Promise.all([1, 2].map((node) => cloud.start(node)));
    await cloud.whole(120_000);
    expect(await untilAnswered("/ready")).toBeLessThan(10_000);
    for (const kind of KINDS) expect((await ask(REQUESTS[kind])).text).toBe(whole.get(kind));
  });
});
