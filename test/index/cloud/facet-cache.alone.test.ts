/** Facet answers on a SolrCloud, which are kept: what they say, and how often Solr counts. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MetadataSearchResult } from "../../../generated/schemas.js";
import { IndexVersions } from "../../../src/index/query/index-versions.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import {
  load,
  startService,
  type TestDocument,
  type TestService,
} from "../../support/service/service.js";
import {
  add,
  entry,
  message,
  type Person,
  person,
  remove,
} from "../../support/service/user-data.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const COLLECTIONS = ["files"] as const;
const FACETS = ["variable", "model"] as const;
const VARIABLES = ["tas", "pr", "psl"];
const MODELS = ["m1", "m2", "m3", "m4"];

interface Stored {
  readonly variable: readonly string[];
  readonly model: string;
  readonly isOwn: boolean;
}

/** What the index holds, by file. */
type Model = Map<string, Stored>;

interface Search {
  readonly flavour: "native" | "user";
  readonly parameters: Readonly<Record<string, string>>;
  readonly finds: (document: Stored) => boolean;
}

const folded = ({ variable }: Stored): readonly string[] => [
  ...new Set(variable.map((value) => value.toLowerCase())),
];

const SEARCHES: readonly Search[] = (["native", "user"] as const).flatMap((flavour) => {
  const isSeen = ({ isOwn }: Stored): boolean => isOwn === (flavour === "user");
  const search = (parameters: Search["parameters"], finds: Search["finds"]): Search => ({
    flavour,
    parameters,
    finds: (document) => isSeen(document) && finds(document),
  });
  return [
    search({}, () => true),
    search({ "multi-version": "true" }, () => true),
    ...VARIABLES.map((value) => search({ variable: value }, (one) => folded(one).includes(value))),
    search({ model: "m1", variable: "pr" }, (one) => {
      return one.model === "m1" && folded(one).includes("pr");
    }),
    search({ model_not_: "m2" }, ({ model }) => model !== "m2"),
  ];
});

/** What a search has to answer, by plain arithmetic. */
function expected(index: Model, { finds }: Search) {
  const found = [...index.values()].filter(finds);
  const count = (values: readonly string[]): string[] => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([a, n]) => [a, String(n)]);
  };
  return {
    total_count: found.length,
    facets: {
      variable: count(found.flatMap(folded)),
      model: count(found.map(({ model }) => model)),
    },
  };
}

const pathOf = ({ flavour, parameters }: Search): string => {
  const query = new URLSearchParams({ ...parameters, facets: FACETS.join(",") });
  return `/databrowser/metadata-search/${flavour}/file?${query}`;
};

const cloud = useCloud({ nodes: 2 });
let instances: readonly TestService[] = [];
let ada: Person;
/** Requests for facets that were sent to Solr, by all instances. */
let counted = 0;

beforeAll(async () => {
  const topology = await layOut(cloud, { shards: 2, replicas: 2 });
  const { endpoint } = cloud;
  // Tokens of one are taken by the other.
  const shared = { endpoint, topology, baseUrl: "http://127.0.0.1" };
  const first = await startService(shared);
  const { dataDir } = first;
  instances = [first, await startService({ ...shared, dataDir })];
  for (const { solr } of instances) {
    const { http } = solr;
    const send = http.send.bind(http);
    http.send = (request) => {
      if (request.path.includes("facet.sort=index")) counted += 1;
      return send(request);
    };
  }
  ada = await person(first);
}, 300_000);
afterAll(async () => {
  for (const one of [...instances].reverse()) await one.close();
});

async function ask(service: TestService, search: Search) {
  const response = await service.get(pathOf(search));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  const { total_count, facets } = JSON.parse(text) as MetadataSearchResult;
  return { total_count, facets };
}

/** As an outside crawler writes: straight to Solr, and visible when it is done. */
async function update(given: object, collections: readonly string[] = COLLECTIONS) {
  const [service] = instances;
  const command = Array.isArray(given) ? given.map((one) => ({ ...one, latest: true })) : given;
  for (const collection of collections) {
    await service?.solr.http.send({
      method: "POST",
      path: `${collection}/update?softCommit=true`,
      body: JSON.stringify(command),
      headers: { "Content-Type": "application/json" },
    });
  }
}

/** Holds all searches on all instances against the arithmetic. */
async function check(index: Model, why: string): Promise<void> {
  for (const [i, service] of instances.entries()) {
    for (const search of SEARCHES) {
      const said = `${why}, then ${pathOf(search)} of instance ${i}, SEED=${SEED}`;
      expect(await ask(service, search), said).toEqual(expected(index, search));
    }
  }
}

describe("random writes", () => {
  const random = chance(SEED);
  const index: Model = new Map();
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const cased = (value: string): string => (random() < 0.2 ? value.toUpperCase() : value);
  const fileOf = (): string => {
    const number = Math.floor(random() * 60);
    return `/data/d${number % 7}/x_day_d${number % 7}_${number}.nc`;
  };
  const made = (isOwn: boolean): Stored => {
    const value = pick(VARIABLES);
    const other =
      random() < 0.3 ? [cased(value === "tas" ? "pr" : "tas"), value.toUpperCase()] : [];
    return { variable: [cased(value), ...other], model: pick(MODELS), isOwn };
  };
  const some = (): number => 1 + Math.floor(random() * 4);
  const writes: Readonly<Record<string, () => Promise<void>>> = {
    "documents added or replaced": async () => {
      const documents = new Map(Array.from({ length: some() }, () => [fileOf(), made(false)]));
      await update(
        [...documents].map(([file, { variable, model }]) => ({ file, variable, model })),
      );
      for (const [file, document] of documents) index.set(file, document);
    },
    "documents deleted by key": async () => {
      const files = Array.from({ length: some() }, fileOf);
      await update({ delete: files });
      for (const file of files) index.delete(file);
    },
    "documents deleted by query": async () => {
      const [variable, model] = [pick(VARIABLES), pick(MODELS)];
      await update({ delete: { query: `-user:* +variable:${variable} +model:${model}` } });
      for (const [file, one] of index) {
        if (!one.isOwn && one.model === model && folded(one).includes(variable)) index.delete(file);
      }
    },
    "what changes nothing": async () => {
      await update({ delete: ["/nothing/of/this/name.nc"] });
      await update(pick([{}, { optimize: {} }, { commit: {} }]));
    },
    "user data registered": async () => {
      const documents = new Map(
        Array.from({ length: some() }, () => [`/u${fileOf()}`, made(true)] as const),
      );
      const entries = [...documents].map(([file, { variable, model }]) =>
        entry(file, { variable, model }),
      );
      await message(await add(pick(instances), ada, entries));
      for (const [file, one] of documents) if (!index.has(file)) index.set(file, one);
    },
    "user data deleted": async () => {
      const model = pick(MODELS);
      await message(await remove(pick(instances), ada, { model }));
      for (const [file, one] of index) if (one.isOwn && one.model === model) index.delete(file);
    },
  };

  it("are seen by the next search of every instance", async () => {
    for (let i = 0; i < attempts(25, 300); i++) {
      const what = pick(Object.keys(writes));
      await writes[what]?.();
      await check(index, `${i}: ${what}`);
    }
    expect(index.size).toBeGreaterThan(0);
  });

  it("are followed by answers without counts in Solr, as long as nothing changes", async () => {
    await writes["documents added or replaced"]?.();
    await check(index, "once");
    counted = 0;
    for (let i = 0; i < 3; i++) await check(index, "again");
    expect(counted).toBe(0);
    await update({ delete: ["/nothing/of/this/name.nc"] });
    await update({ commit: {} });
    // It may merge what is on disk, which is another index with the same documents: answers are then worked out once more.
    await check(index, "after a commit of nothing");
    counted = 0;
    await check(index, "again after it");
    expect(counted).toBe(0);
    // The spellings of one document are counted by a request more.
    await writes["documents added or replaced"]?.();
    await check(index, "after a change");
    // By each instance. Searches of user data that differ in multi-version alone are one.
    expect(counted).toBeGreaterThanOrEqual(2 * (SEARCHES.length - 1));
  });
});

describe("a collection of one shard", () => {
  it("has one version on every node, until it changes", async () => {
    await cloud.create("single", 1, 2);
    const [service] = instances;
    if (service === undefined) throw new Error("no instance");
    const single = new SolrCollection(service.solr.http, "single");
    const versions = new IndexVersions(single);
    const all = new URLSearchParams({ q: "*:*", rows: "0" });
    const select = (known?: string) => versions.select(String(all), known, {});
    let version = (await select())?.version;
    for (let i = 0; i < 5; i++) {
      expect(version).toBeDefined();
      for (let j = 0; j < 6; j++) expect(await select(version)).toBeUndefined();
      await update([{ file: `/single/${i}.nc` }], ["single"]);
      const answer = await select(version);
      expect(answer?.reply).toMatchObject({ response: { numFound: i + 1 } });
      expect(answer?.version).not.toBe(version);
      version = answer?.version;
    }
  });
});

describe("answers about a search", () => {
  it("are exact over two shards, with more datasets than a shard reports by name", async () => {
    const [service] = instances;
    if (service === undefined) throw new Error("no instance");
    const DATASETS = 600;
    const documents = Array.from({ length: 2 * DATASETS }, (_, i): TestDocument => {
      const [dataset, year] = [i >> 1, 2000 + (i % 2)];
      return {
        file: `/answers/tas_day_M${dataset % 3}_historical_r${dataset}i1p1f1_gn_${year}0101-${year}1231.nc`,
        project: ["CMIP6"],
        product: ["CMIP"],
        institute: ["X"],
        experiment: ["historical"],
        model: [`M-${dataset % 3}`],
        ensemble: [`r${dataset}i1p1f1`],
        cmor_table: ["day"],
        variable: ["tas", "TAS"],
        standard_name: ["air_temperature"],
        size: 10,
      };
    });
    expect((await load(service.solr, documents)).refused).toBe(0);
    const get = async (path: string) => (await service.get(`/databrowser/${path}`)).json();
    expect(await get("summary/native/file?project=cmip6")).toMatchObject({
      files: 2 * DATASETS,
      datasets: DATASETS,
      bytes: 20 * DATASETS,
    });
    const count = (2 * DATASETS) / 3;
    expect(await get("why/native/file?project=cmip6&model=m_1&variable=tas")).toMatchObject({
      total_count: 0,
      constraints: [
        { count_without: 0 },
        {
          count_without: 2 * DATASETS,
          unmatched: [{ near: expect.arrayContaining([{ value: "m-1", count }]) }],
        },
        { count_without: 0 },
      ],
      excluding: ["model"],
    });
    expect(await get("why/native/file?variable=air_temperature&model=m-1")).toMatchObject({
      constraints: [{ unmatched: [{ near: [{ value: "tas", count }] }] }, {}],
    });
  });
});

/** Milliseconds within which a node that hangs is no more waited for, as in test/index/cloud/reading.alone.test.ts. */
const HANGS = 10_000;

/** Documents that are only ever added: how many there are says which of the writes was seen. */
const COUNTED: Search = {
  flavour: "native",
  parameters: { project: "counted" },
  finds: () => true,
};
const document = (number: number): TestDocument => ({
  file: `/counted/d${number % 5}/x_day_d${number % 5}_${number}.nc`,
  project: ["counted"],
});

describe("an answer beside writes", () => {
  /** Writes that were begun, and those that were done: of one that failed the document may be there. */
  const writes = { begun: 0, done: 0 };
  const write = async (): Promise<void> => {
    await update([document(writes.begun++)]);
    writes.done += 1;
  };
  const read = async (service: TestService): Promise<void> => {
    const least = writes.done;
    const { total_count: seen } = await ask(service, COUNTED);
    expect(seen, `SEED=${SEED}`).toBeGreaterThanOrEqual(least);
    expect(seen).toBeLessThanOrEqual(writes.begun);
  };

  it("is never older than what was visible at its request", async () => {
    let isOver = false;
    let reads = 0;
    const readers = [...instances, ...instances].map(async (service) => {
      for (; !isOver; reads++) await read(service);
    });
    const writer = (async () => {
      for (let i = 0; i < attempts(40, 400); i++) await write();
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([writer, ...readers]);
    expect(reads).toBeGreaterThan(writes.done);
  });

  /** Until a write is done: a new leader takes its time. */
  const writeAtLast = async (): Promise<void> => {
    const isDone = () =>
      write().then(
        () => true,
        () => false,
      );
    while (!(await isDone())) await sleep(200);
  };
  /** @param within milliseconds: a node that hangs is known to later than one that refuses, and holds up two questions */
  const readAtLast = async (service: TestService, within = 5000): Promise<void> => {
    const begin = Date.now();
    while (!(await read(service).then(() => true, notWrong))) await sleep(50);
    expect(Date.now() - begin).toBeLessThan(within);
  };
  /** The node that leads a shard, of a cloud that is whole, whatever happened before. */
  const leading = async (): Promise<number> => {
    await cloud.whole();
    const answer = await cloud.admin("admin/collections", { action: "LISTALIASES" });
    const { aliases } = answer as { aliases: Readonly<Record<string, string>> };
    const [node] = Object.values(await cloud.leadingNodes(aliases.files ?? "files"));
    if (node === undefined) throw new Error("no shard has a leader");
    return node;
  };

  it("is not made wrong by a killed node, and the next one comes within 5 s", async () => {
    for (let i = 0; i < attempts(1, 4); i++) {
      const node = await leading();
      for (const service of instances) await read(service);
      await cloud.kill(node);
      for (const service of instances) await readAtLast(service);
      await writeAtLast();
      for (let j = 0; j < 20; j++) for (const service of instances) await read(service);
      await cloud.start(node);
      await cloud.whole();
      await write();
      for (const service of instances) await read(service);
    }
  });

  it("does not come from a returned leader that missed writes", async () => {
    for (let i = 0; i < attempts(1, 4); i++) {
      const node = await leading();
      for (const service of instances) await read(service);
      cloud.pause(node);
      try {
        for (const service of instances) await readAtLast(service, HANGS);
        await writeAtLast();
      } finally {
        cloud.resume(node);
      }
      for (let j = 0; j < 20; j++) {
        for (const service of instances) await readAtLast(service, HANGS);
      }
      await cloud.whole();
      await write();
      for (const service of instances) await read(service);
    }
  });
});

/** Being told that Solr cannot be asked is no wrong answer. */
function notWrong(error: Error): false {
  if (!/^50[34]: /.test(error.message)) throw error;
  return false;
}
