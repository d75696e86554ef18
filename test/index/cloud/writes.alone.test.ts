/**
 * Nodes of a SolrCloud are killed or frozen while it is written to: by sign-ins, refreshes, user data and the loader, through
 * two instances. What was acknowledged stays, on every replica, and what was deleted does not come back; the rest was visibly
 * refused, and works at once when it is tried again. Searches find one version of each file all the while.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RefreshTokens } from "../../../src/identity/tokens/refresh-token.js";
import { SolrTimeout, SolrUnavailable } from "../../../src/index/errors.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";
import { load, startService, type TestService } from "../../support/service/service.js";
import { addUser, PASSWORD, post, refresh, signIn } from "../../support/service/sign-in.js";
import { add, entry, type Person, person, remove } from "../../support/service/user-data.js";
import { sameOnAllReplicas } from "../../support/solr/replicas.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const KILLS = attempts(4, 100);
/**
 * Milliseconds after a kill within which the next request of each kind must have worked: ZooKeeper takes 3 to 5 s to notice, and
 * then a leader is elected. A busy machine has more.
 */
const SOON = attempts(60_000, 10_000);
/** Milliseconds between two requests of a kind: a node that was killed is to meet some of each, and not to be short of processors. */
const PAUSE = attempts(50, 10);
/** Milliseconds until each shard has its leader and replicas again; Solr waits 180 s for the replica that has the newest writes. */
const WHOLE = 300_000;
/** Milliseconds for which a node stays away. */
const AWAY = 6000;

const cloud = useCloud({ nodes: 3 });
let instances: TestService[];
let ada: Person;
const next = chance(SEED);
const some = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;

beforeAll(async () => {
  const topology = await layOut(cloud, { shards: 2, replicas: 2 });
  const limits = { perUser: 1e6, perAddress: 1e6, window: 60 };
  // The long form takes longer than a usual access token lives.
  const auth = { limits, accessTokenLifetime: 86_400 };
  const common = { endpoint: cloud.endpoint, topology, auth };
  const first = await startService(common);
  const more = { ...common, dataDir: first.dataDir, baseUrl: first.address };
  instances = [first, await startService(more)];
  ada = await person(first);
}, 300_000);
afterAll(async () => {
  for (const instance of [...(instances ?? [])].reverse()) await instance.close();
});

/** One kind of request, sent again and again. */
interface Work {
  readonly name: string;
  /** Sends one; gives what it was visibly refused with for now, or nothing. @throws for anything else */
  once(): Promise<string | undefined>;
  /** How often it was answered, and refused. */
  answered: number;
  refused: number;
  /** Milliseconds from a kill to the first success of a request that began after it; the longest. */
  longest: number;
  /** When the last kill was that no request has been answered after. */
  open: number | undefined;
  lastRefusal: string;
}

const work = (name: string, once: () => Promise<string | undefined>): Work => ({
  name,
  once,
  answered: 0,
  refused: 0,
  longest: 0,
  open: undefined,
  lastRefusal: "",
});

/** What a refusal says that asks to try again; nothing for a success. */
async function refusalOf(response: Response, status: number): Promise<string | undefined> {
  if (response.status === status) return;
  const text = await response.text();
  if (response.status !== 503) throw new Error(`${response.status}: ${text}`);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  return text;
}

let isOver = false;

async function goOn(one: Work): Promise<void> {
  while (!isOver) {
    const begin = performance.now();
    const refusal = await one.once();
    if (refusal === undefined) one.answered += 1;
    else one.refused += 1;
    if (refusal !== undefined) one.lastRefusal = refusal;
    else if (one.open !== undefined && begin >= one.open) {
      one.longest = Math.max(one.longest, performance.now() - one.open);
      one.open = undefined;
    }
    await sleep(PAUSE);
  }
}

/** A family of refresh tokens, with every token of it that was given. */
interface Family {
  readonly tokens: string[];
  /** A refresh was refused for now; nobody knows whether it replaced the token. */
  isUncertain: boolean;
  /** The token had been replaced after all. Whoever shows it again ends the family, and signs in again. */
  hasEnded: boolean;
}

const families: Family[] = [];

function refreshing(): Work {
  let family: Family | undefined;
  let name = "";
  return work("refresh", async () => {
    if (family === undefined || family.hasEnded || family.tokens.length > 50) {
      name ||= (await addUser(some(instances).dataDir)).name;
      const signedIn = await post(some(instances), { username: name, password: PASSWORD });
      const refusal = await refusalOf(signedIn, 200);
      if (refusal !== undefined) return refusal;
      const { refresh_token } = (await signedIn.json()) as { refresh_token: string };
      family = { tokens: [refresh_token], isUncertain: false, hasEnded: false };
      families.push(family);
    }
    const response = await refresh(some(instances), family.tokens.at(-1) ?? "");
    if (response.status === 401) {
      if (!family.isUncertain) throw new Error(`a family has ended: ${await response.text()}`);
      family.hasEnded = true;
      return "the former refresh, which was refused, had replaced the token";
    }
    const refusal = await refusalOf(response, 200);
    family.isUncertain = refusal !== undefined;
    if (refusal !== undefined) return refusal;
    const { refresh_token } = (await response.json()) as { refresh_token: string };
    family.tokens.push(refresh_token);
    return;
  });
}

/** What the service has said of user data. */
const registered = new Map<string, { readonly model: string }>();
const deleted = new Set<string>();

function registering(who: () => Person): Work {
  let at = 0;
  const sets: { files: string[]; model: string }[] = [];
  let open: (() => Promise<string | undefined>) | undefined;
  const adding = () => {
    at += 1;
    const [name, model] = [`${at}-${Math.floor(next() * 1e9)}`, `m${at}`];
    const files = Array.from({ length: 20 }, (_, i) => `/cloud/${name}/tas_${i}.nc`);
    return async () => {
      const entries = files.map((file) => entry(file, { model }));
      const response = await add(some(instances), who(), entries);
      const refusal = await refusalOf(response, 202);
      if (refusal !== undefined) return refusal;
      sets.push({ files, model });
      for (const file of files) registered.set(file, { model });
      return;
    };
  };
  const deleting = () => {
    const [{ files, model }] = sets.splice(Math.floor(next() * sets.length), 1) as [
      (typeof sets)[0],
    ];
    return async () => {
      const response = await remove(some(instances), who(), { model });
      const refusal = await refusalOf(response, 202);
      if (refusal !== undefined) return refusal;
      for (const file of files) {
        registered.delete(file);
        deleted.add(file);
      }
      return;
    };
  };
  return work("user data", async () => {
    open ??= sets.length > 3 && next() < 0.4 ? deleting() : adding();
    const refusal = await open();
    if (refusal === undefined) open = undefined;
    return refusal;
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
      const day = new Date(Date.UTC(2020, 0, at)).toISOString().slice(0, 10).replaceAll("-", "");
      const [folder, version] = [`/pool/set-${at % 40}`, `v${day}`];
      open = Array.from({ length: 100 }, (_, i) => `${folder}/${version}/pr_${i}.nc`);
    }
    const refused: unknown[] = [];
    try {
      const documents = open.map((file) => ({ file, project: ["cloud"], variable: ["pr"] }));
      await load(some(instances).solr, documents, refused as never[]);
    } catch (error) {
      if (error instanceof SolrUnavailable || error instanceof SolrTimeout) return String(error);
      throw error;
    }
    expect(refused).toEqual([]);
    for (const file of open) loaded.add(file);
    open = undefined;
    return;
  });
}

/** Searches for the newest versions, which must be one of each file. */
function searching(): Work {
  return work("search", async () => {
    const path = `/databrowser/data-search/native/file?file=/pool/set-${Math.floor(next() * 40)}/*`;
    const response = await some(instances).get(path);
    const refusal = await refusalOf(response, 200);
    if (refusal !== undefined) return refusal;
    // A list that has begun is visibly broken off.
    const text = await response.text().catch(() => undefined);
    if (text === undefined) return "the list broke off";
    const files = text.split("\n").slice(0, -1);
    const keys = files.map((file) => file.replace(/\/v\d{8}\//, "/"));
    const [twice] = keys.filter((key, at) => keys.indexOf(key) !== at);
    if (twice !== undefined) throw new Error(`${twice} is found twice`);
    return;
  });
}

/** The nodes that lead a shard of something, and the others. */
async function leading(): Promise<{ leaders: number[]; all: number[] }> {
  const leaders = await Promise.all(
    ["files_3", "state"].map(async (name) => Object.values(await cloud.leadingNodes(name))),
  );
  return { leaders: [...new Set(leaders.flat())], all: cloud.nodes.map((_, i) => i) };
}

/** The node whose Overseer changes the state of the cluster. */
async function overseer(): Promise<number> {
  const { leader } = (await cloud.admin("admin/collections", { action: "OVERSEERSTATUS" })) as {
    leader: string;
  };
  return cloud.endpoint.urls.findIndex(({ host }) => `${host}_solr` === leader);
}

const KINDS = ["leader", "overseer", "frozen leader", "two at once"] as const;

/** The nodes that a kind of fault concerns. */
async function victimsOf(kind: (typeof KINDS)[number]): Promise<readonly number[]> {
  const { leaders, all } = await leading();
  const leader = some(leaders);
  if (kind === "overseer") return [await overseer()];
  if (kind !== "two at once") return [leader];
  return [leader, some(all.filter((node) => node !== leader))];
}

describe("a node that is killed during sign-ins, refreshes, user data and index", () => {
  const works: Work[] = [];

  it(
    "causes a visible refusal at most, and the next request of each works soon",
    async () => {
      const name = (await addUser(some(instances).dataDir)).name;
      works.push(
        work("sign-in", async () =>
          refusalOf(await post(some(instances), { username: name, password: PASSWORD }), 200),
        ),
        refreshing(),
        registering(() => ada),
        loading(),
        searching(),
      );
      const failures: unknown[] = [];
      let behind = 0;
      const running = works.map((one) =>
        goOn(one).catch((error) => {
          failures.push(new Error(`${one.name}: ${error}`, { cause: error }));
        }),
      );
      try {
        for (let kill = 0; kill < KILLS && failures.length === 0; kill += 1) {
          await sleep(500 + 1500 * next());
          const kind = KINDS[kill % KINDS.length] ?? "leader";
          const victims = await victimsOf(kind);
          const isFrozen = kind === "frozen leader";
          await Promise.all(victims.map((one) => (isFrozen ? cloud.pause(one) : cloud.kill(one))));
          const now = performance.now();
          const isOne = victims.length === 1 && !isFrozen;
          // Another replica that is still copying the newest writes must not lead without them.
          const waitingFor = isOne ? await cloud.newestOnlyOn(victims) : [];
          if (waitingFor.length > 0) behind += 1;
          const isSoon = isOne && waitingFor.length === 0;
          if (isSoon) for (const one of works) one.open ??= now;
          await sleep(AWAY);
          const waiting = () =>
            works
              .filter(({ open }) => open !== undefined)
              .map(({ name, lastRefusal }) => `${name}: ${lastRefusal}`);
          const untilAll = () =>
            expect
              // A work that has failed sends no more; the failure itself is reported below.
              .poll(() => (failures.length > 0 ? [] : waiting()), { timeout: 60_000 })
              .toEqual([]);
          // With two of three nodes away, or one that does not answer or that all others wait for, it is enough that they work afterwards.
          try {
            if (isSoon) await untilAll();
          } finally {
            await Promise.all(
              victims.map((one) => (isFrozen ? cloud.resume(one) : cloud.start(one))),
            );
          }
          await cloud.whole(WHOLE);
          if (!isSoon) {
            for (const one of works) one.open ??= performance.now();
            await untilAll();
          }
          const times = works.map((one) => `${one.name} ${one.longest.toFixed(0)}`);
          console.log(`${kill}: ${kind} (${victims}) ${waitingFor}, longest: ${times.join(", ")}`);
        }
      } finally {
        isOver = true;
        await Promise.all(running);
      }
      const ended = families.filter(({ hasEnded }) => hasEnded).length;
      console.log(`${families.length} families of refresh tokens, ${ended} ended`);
      for (const one of works) {
        const { answered, refused, longest } = one;
        console.log(
          `${one.name}: ${answered} answered, ${refused} refused, ${longest.toFixed(0)} ms`,
        );
      }
      expect(failures).toEqual([]);
      expect(behind).toBeLessThanOrEqual(Math.max(1, KILLS / 10));
      for (const one of works) expect(one.longest, one.name).toBeLessThan(SOON);
    },
    KILLS * WHOLE,
  );

  it("leaves all that was acknowledged, the same on every replica", async () => {
    tried(KILLS);
    const files = await sameOnAllReplicas(cloud, "files");
    await sameOnAllReplicas(cloud, "state", "id");
    expect([...loaded].filter((file) => !files.has(file))).toEqual([]);
    expect([...registered.keys()].filter((file) => !files.has(file))).toEqual([]);
    expect([...deleted].filter((file) => files.has(file))).toEqual([]);
    for (const [file, { model }] of registered) expect(files.get(file)).toContain(`"${model}"`);
    // Of each file of a dataset the newest version is marked, and none but that.
    const newest = new Map<string, string>();
    for (const file of [...files.keys()].filter((one) => one.startsWith("/pool/")).sort()) {
      newest.set(file.replace(/\/v\d{8}\//, "/"), file);
    }
    const marked = [...files].filter(
      ([file, text]) => file.startsWith("/pool/") && text.includes('["latest",true]'),
    );
    expect(marked.map(([file]) => file).sort()).toEqual([...newest.values()].sort());
  });

  it("never leaves two live tokens of one family, and ends none but by a refusal", async () => {
    const tokens = new RefreshTokens(instances[0]?.solr.state as never, 86_400);
    let live = 0;
    for (const family of families) {
      const alive: string[] = [];
      for (const token of family.tokens) if (await tokens.look(token)) alive.push(token);
      const wanted = family.hasEnded ? [] : [family.tokens.at(-1)];
      if (!family.isUncertain || family.hasEnded) expect(alive).toEqual(wanted);
      live += 1;
    }
    expect(live).toBeGreaterThan(0);
    expect((await signIn(instances[0] as TestService, ada.name)).access_token).toBeTruthy();
  });
});
