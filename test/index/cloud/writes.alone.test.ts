/**
 * Nodes of a SolrCloud are killed while it is written to: by sign-ins, refreshes, user data and the loader, through two
 * instances. What was acknowledged stays, on every replica; the rest was visibly refused, and works at once when it is tried again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RefreshTokens } from "../../../src/identity/tokens/refresh-token.js";
import { SolrAdmin } from "../../../src/index/collections/admin.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { SolrTimeout, SolrUnavailable } from "../../../src/index/errors.js";
import { setUpCollections } from "../../../src/index/migration/set-up-collections.js";
import { attempts } from "../../support/attempts.js";
import { chance, SEED } from "../../support/chance.js";
import { sameOnAllReplicas } from "../../support/replicas.js";
import { load, startService, type TestService } from "../../support/service.js";
import { addUser, PASSWORD, post, refresh, signIn } from "../../support/sign-in.js";
import { type SolrCloud, startSolrCloud } from "../../support/solr-cloud.js";
import { add, entry, type Person, person, remove } from "../../support/user-data.js";

const KILLS = attempts(3, 20);
/** Milliseconds after a kill within which the next request of each kind must have worked; a busy machine has more. */
const SOON = attempts(60_000, 5000);
/** Milliseconds for which a node stays away. */
const AWAY = 6000;

const COLLECTIONS = ["files", "latest", "state"] as const;

let cloud: SolrCloud;
let instances: TestService[];
let ada: Person;
const next = chance(SEED);
const some = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;

beforeAll(async () => {
  cloud = await startSolrCloud({ nodes: 3 });
  const admin = new SolrAdmin(cloud.endpoint);
  await setUpCollections(admin, { shards: 2, replicas: 2, report: () => {} });
  await cloud.whole();
  const topology = await inspectCollections(cloud.endpoint, COLLECTIONS);
  const limits = { perUser: 1e6, perAddress: 1e6, window: 60 };
  const common = { endpoint: cloud.endpoint, topology, auth: { limits } };
  const first = await startService(common);
  const more = { ...common, dataDir: first.dataDir, baseUrl: first.address };
  instances = [first, await startService(more)];
  ada = await person(first);
}, 300_000);
afterAll(async () => {
  for (const instance of [...(instances ?? [])].reverse()) await instance.close();
  await cloud?.stop();
});

/** One kind of request, sent again and again. */
interface Work {
  readonly name: string;
  /** Sends one; says whether it was answered, or was visibly refused for now. @throws for anything else */
  once(): Promise<boolean>;
  /** How often it was answered, and refused. */
  answered: number;
  refused: number;
  /** Milliseconds from a kill to the first success of a request that began after it; the longest. */
  longest: number;
  /** When the last kill was that no request has been answered after. */
  open: number | undefined;
}

const work = (name: string, once: () => Promise<boolean>): Work => ({
  ...{ name, once, answered: 0, refused: 0, longest: 0, open: undefined },
});

/** Whether a status is a success, or the refusal that says to try again. */
async function isAnswered(response: Response, status: number): Promise<boolean> {
  const text = await response.clone().text();
  if (![status, 503].includes(response.status)) throw new Error(`${response.status}: ${text}`);
  if (response.status === 503)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  return response.status === status;
}

let isOver = false;

async function goOn(one: Work): Promise<void> {
  while (!isOver) {
    const begin = performance.now();
    const isGood = await one.once();
    if (isGood) one.answered += 1;
    else one.refused += 1;
    if (isGood && one.open !== undefined && begin >= one.open) {
      one.longest = Math.max(one.longest, performance.now() - one.open);
      one.open = undefined;
    }
    await sleep(10);
  }
}

/** A family of refresh tokens, with every token of it that was given. */
interface Family {
  readonly tokens: string[];
  /** It ended though nobody showed an earlier token of it. */
  lost: boolean;
}

const families: Family[] = [];

function refreshing(): Work {
  let family: Family | undefined;
  let name = "";
  return work("refresh", async () => {
    if (family === undefined || family.lost || family.tokens.length > 50) {
      name ||= (await addUser(some(instances).dataDir)).name;
      const signedIn = await post(some(instances), { username: name, password: PASSWORD });
      if (!(await isAnswered(signedIn, 200))) return false;
      const { refresh_token } = (await signedIn.json()) as { refresh_token: string };
      family = { tokens: [refresh_token], lost: false };
      families.push(family);
    }
    const response = await refresh(some(instances), family.tokens.at(-1) ?? "");
    if (response.status === 401) {
      family.lost = true;
      throw new Error(`a family has ended: ${await response.text()}`);
    }
    if (!(await isAnswered(response, 200))) return false;
    const { refresh_token } = (await response.json()) as { refresh_token: string };
    family.tokens.push(refresh_token);
    return true;
  });
}

/** What the service has said of user data; undefined while nothing is known. */
const registered = new Map<string, { readonly model: string } | undefined>();

function registering(who: () => Person): Work {
  let at = 0;
  const sets: { files: string[]; model: string }[] = [];
  let open: (() => Promise<boolean>) | undefined;
  const adding = () => {
    at += 1;
    const [name, model] = [`${at}-${Math.floor(next() * 1e9)}`, `m${at}`];
    const files = Array.from({ length: 20 }, (_, i) => `/cloud/${name}/tas_${i}.nc`);
    return async () => {
      const entries = files.map((file) => entry(file, { model }));
      const response = await add(some(instances), who(), entries);
      if (!(await isAnswered(response, 202))) return false;
      sets.push({ files, model });
      for (const file of files) registered.set(file, { model });
      return true;
    };
  };
  const deleting = () => {
    const [{ files, model }] = sets.splice(Math.floor(next() * sets.length), 1) as [
      (typeof sets)[0],
    ];
    return async () => {
      const response = await remove(some(instances), who(), { model });
      if (!(await isAnswered(response, 202))) return false;
      for (const file of files) registered.delete(file);
      return true;
    };
  };
  return work("user data", async () => {
    open ??= sets.length > 3 && next() < 0.4 ? deleting() : adding();
    if (!(await open())) return false;
    open = undefined;
    return true;
  });
}

/** Paths of what the loader has said to be stored. */
const loaded = new Set<string>();

function loading(): Work {
  let at = 0;
  let open: string[] | undefined;
  return work("index", async () => {
    if (open === undefined) {
      at += 1;
      const [folder, version] = [`/pool/set-${at % 40}`, `v2020${String(1000 + at).slice(0, 4)}`];
      open = Array.from({ length: 100 }, (_, i) => `${folder}/${version}/pr_${i}.nc`);
    }
    const refused: unknown[] = [];
    try {
      const documents = open.map((file) => ({ file, project: ["cloud"], variable: ["pr"] }));
      await load(some(instances).solr, documents, refused as never[]);
    } catch (error) {
      if (error instanceof SolrUnavailable || error instanceof SolrTimeout) return false;
      throw error;
    }
    expect(refused).toEqual([]);
    for (const file of open) loaded.add(file);
    open = undefined;
    return true;
  });
}

/** The nodes that lead a shard of something, and the others. */
async function leading(): Promise<{ leaders: number[]; all: number[] }> {
  const leaders = await Promise.all(
    ["files_2", "latest_2", "state"].map(async (name) =>
      Object.values(await cloud.leadingNodes(name)),
    ),
  );
  return { leaders: [...new Set(leaders.flat())], all: cloud.nodes.map((_, i) => i) };
}

describe("a node that is killed during sign-ins, refreshes, user data and index", () => {
  const works: Work[] = [];

  it(
    "is a visible refusal at most, and the next request of each works soon",
    async () => {
      const name = (await addUser(some(instances).dataDir)).name;
      works.push(
        work("sign-in", async () =>
          isAnswered(await post(some(instances), { username: name, password: PASSWORD }), 200),
        ),
        refreshing(),
        registering(() => ada),
        loading(),
      );
      const failures: unknown[] = [];
      const running = works.map((one) =>
        goOn(one).catch((error) => {
          failures.push(new Error(`${one.name}: ${error}`, { cause: error }));
        }),
      );
      let led = 0;
      try {
        for (let kill = 0; kill < KILLS && failures.length === 0; kill += 1) {
          await sleep(500 + 1500 * next());
          const { leaders, all } = await leading();
          const victim = kill % 3 === 2 ? some(all) : some(leaders);
          if (leaders.includes(victim)) led += 1;
          await cloud.kill(victim);
          const now = performance.now();
          for (const one of works) one.open ??= now;
          await sleep(AWAY);
          await expect
            .poll(() => works.filter(({ open }) => open !== undefined).map((one) => one.name), {
              timeout: 60_000,
            })
            .toEqual([]);
          await cloud.start(victim);
          await cloud.whole(120_000);
          const times = works.map((one) => `${one.name} ${one.longest.toFixed(0)}`);
          console.log(`kill ${kill} of node ${victim}, longest: ${times.join(", ")}`);
        }
      } finally {
        isOver = true;
        await Promise.all(running);
      }
      for (const one of works) {
        const { answered, refused, longest } = one;
        console.log(
          `${one.name}: ${answered} answered, ${refused} refused, ${longest.toFixed(0)} ms`,
        );
      }
      expect(failures).toEqual([]);
      expect(led).toBeGreaterThan(KILLS / 2);
      for (const one of works) expect(one.longest, one.name).toBeLessThan(SOON);
    },
    KILLS * 120_000,
  );

  it("leaves all that was acknowledged, the same on every replica, and the same in both collections", async () => {
    const [files, latest] = await Promise.all(
      ["files", "latest"].map((name) => sameOnAllReplicas(cloud, name)),
    );
    await sameOnAllReplicas(cloud, "state", "id");
    const missing = [...loaded].filter((file) => !files?.has(file));
    expect(missing).toEqual([]);
    const users = (all: ReadonlyMap<string, string> | undefined) =>
      [...(all ?? [])].filter(([file]) => file.startsWith("/cloud/")).sort();
    const [one, two] = [users(files), users(latest)];
    const lost = [...registered.keys()].filter((file) => !files?.has(file));
    expect(lost).toEqual([]);
    expect(two).toEqual(one);
    for (const [file, text] of one) {
      const said = registered.get(file);
      if (said !== undefined) expect(text).toContain(`"${said.model}"`);
    }
    // Of each file of a dataset the newest version, and none but that.
    const newest = new Map<string, string>();
    for (const file of [...(files?.keys() ?? [])]
      .filter((one) => one.startsWith("/pool/"))
      .sort()) {
      newest.set(file.replace(/\/v\d{8}\//, "/"), file);
    }
    const pool = [...(latest?.keys() ?? [])].filter((file) => file.startsWith("/pool/"));
    expect(pool.sort()).toEqual([...newest.values()].sort());
  }, 120_000);

  it("never leaves two live tokens of one family, and ends none", async () => {
    const tokens = new RefreshTokens(instances[0]?.solr.state as never, 86_400);
    let live = 0;
    for (const family of families) {
      const alive: string[] = [];
      for (const token of family.tokens) if (await tokens.look(token)) alive.push(token);
      expect(alive).toEqual([family.tokens.at(-1)]);
      live += 1;
    }
    expect(live).toBeGreaterThan(0);
    expect((await signIn(instances[0] as TestService, ada.name)).access_token).toBeTruthy();
  }, 60_000);
});
