/**
 * What must hold of user data when processes die: the service, or its Solr, killed by SIGKILL at any point of a
 * request, and the same request again.
 *
 * 50 POSTs take minutes, as a Solr has to be started for every second one; a few are for every day.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";
import { Scene, type Victim } from "../../support/service/scene.js";
import {
  add,
  added,
  type Entry,
  entry,
  message,
  type Person,
  person,
  remove,
  type Stored,
  stored,
} from "../../support/service/user-data.js";

const KILLS = attempts(4, 50);
const next = chance(SEED);
const below = (limit: number): number => Math.floor(next() * limit);

/** Of each POST; the service sends 2000 at once, so these are three batches. */
const ENTRIES = 4100;
const BATCH = 2000;
/** Milliseconds of a DELETE. */
const DELETION = 150;
/** Registered before, of each of the two users. */
const BEFORE = 30;

/** When to kill: so far through the request, or when a file has come to the index or left it. */
type Moment = { readonly part: number } | { readonly batch: number };

/** Every third, from the first on, comes when a batch has just arrived somewhere; the others are spread evenly. */
function moments(count: number): Moment[] {
  const timed = Math.floor((count * 2) / 3);
  return Array.from({ length: count }, (_, i) => {
    if (i % 3 === 0) return { batch: Math.floor(i / 3) % 3 };
    // A little beyond the end: what was acknowledged a moment ago must not be lost either.
    return { part: ((i - 1 - Math.floor(i / 3) + next()) / timed) * 1.1 };
  });
}

/** What it is about: a place where things are killed, with its users and what is known of them. */
interface Stage {
  readonly scene: Scene;
  readonly ada: Person;
  readonly bob: Person;
  /** A document as it is stored when nothing goes wrong. */
  readonly sample: Stored;
  /** Milliseconds of a whole POST where nothing is killed. */
  readonly span: number;
}

interface Tally {
  kills: number;
  /** The request had been answered before. */
  answered: number;
  /** Something of the request was in the index, and something was not. */
  half: number;
}

const tally = (): Tally => ({ kills: 0, answered: 0, half: 0 });

const number = (i: number): string => String(i).padStart(5, "0");
const fresh = (round: string, count = ENTRIES): Entry[] =>
  Array.from({ length: count }, (_, i) =>
    entry(`/kill/${round}/${number(i)}.nc`, { model: `m${i % 7}`, note: `note ${i}` }),
  );
const earlier = (name: string, i: number, model: string): Entry =>
  entry(`/before/${name}/${number(i)}.nc`, { model, note: model });
const queryOf = (round: string): string => `file:\\/kill\\/${round}\\/*`;

async function stage(scene: Scene): Promise<Stage> {
  const [ada, bob] = [await person(scene), await person(scene)];
  for (const [name, who] of Object.entries({ ada, bob })) {
    const entries = Array.from({ length: BEFORE }, (_, i) => earlier(name, i, "before"));
    await message(await add(scene, who, entries));
  }
  // The first warms up.
  for (const round of ["warm", "sample"]) await message(await add(scene, ada, fresh(round)));
  const [sample] = await stored(scene, queryOf("sample"));
  if (sample === undefined) throw new Error("nothing was registered");
  const begin = performance.now();
  await message(await add(scene, ada, fresh("span")));
  const span = performance.now() - begin;
  await scene.update('{"delete":{"query":"file:\\\\/kill\\\\/*"}}');
  return { scene, ada, bob, sample, span };
}

/** Entries in the place of some: registered before by the same user, or by another, with other metadata. */
function mixed(entries: readonly Entry[]): Entry[] {
  const result = [...entries];
  for (let i = 0; i < BEFORE; i += 1) {
    const name = i % 2 ? "ada" : "bob";
    result[below(result.length)] = earlier(name, below(BEFORE), "another");
  }
  return result;
}

const isFresh = ({ file }: Entry): boolean => String(file).startsWith("/kill/");

/** Without when it was written, which no other document shares. */
const timeless = ({ added, updated, _claim_, ...document }: Stored): Stored => document;

/** How the fresh ones of the entries must stand in the index, but for their times and what wrote them. */
function expected({ sample }: Stage, entries: readonly Entry[]): Stored[] {
  return entries.filter(isFresh).map(({ file, model, note }) => ({
    ...timeless(sample),
    file: String(file),
    model: [model],
    extra: JSON.stringify({ note }),
  }));
}

const found = ({ scene }: Stage, query: string) => stored(scene, query);

/** Waits for a moment of a request; not longer than the request takes. */
async function come(
  { scene, span }: Pick<Stage, "scene" | "span">,
  moment: Moment,
  request: Promise<unknown>,
  entries: readonly Entry[],
  there = true,
): Promise<void> {
  if ("part" in moment) return sleep(moment.part * span);
  const batch = entries.slice(moment.batch * BATCH, (moment.batch + 1) * BATCH);
  const file = String(batch.findLast(isFresh)?.file);
  await Promise.race([scene.until(file, there), request]);
}

/** A request that is killed: its status; undefined when it was never answered. */
async function killed(
  stage: Stage,
  victim: Victim,
  send: () => Promise<Response>,
  moment: (request: Promise<unknown>) => Promise<void>,
): Promise<number | undefined> {
  const request = send().then(
    async (response) => {
      await response.text();
      return response.status;
    },
    () => undefined,
  );
  await moment(request);
  await stage.scene.kill(victim);
  const status = await request;
  expect([202, victim === "Solr" ? 503 : undefined]).toContain(status);
  return status;
}

/** Brings back what was killed; whatever was acknowledged is there from the first answer on. */
async function revive({ scene, bob }: Stage, victim: Victim, round: string): Promise<void> {
  const search = `/databrowser/data-search/user/file?user=${bob.name}&file=/others/${round}/*`;
  const list = await scene.revive(victim, search);
  expect(list.split("\n").slice(0, -1)).toHaveLength(BEFORE);
}

/** Something of somebody else, acknowledged just before. */
async function others({ scene, bob }: Stage, round: string): Promise<void> {
  const entries = Array.from({ length: BEFORE }, (_, i) => entry(`/others/${round}/${i}.nc`));
  expect(await message(await add(scene, bob, entries))).toBe(added(BEFORE));
}

/** Counts a kill by what it has left. */
async function count(stage: Stage, into: Tally, query: string, all: number, status?: number) {
  await stage.scene.update('{"commit":{}}');
  const sum = await stage.scene.solr.count({ filters: [query] });
  into.kills += 1;
  if (status === 202) into.answered += 1;
  if (sum > 0 && sum < all) into.half += 1;
}

async function post(stage: Stage, victim: Victim, round: string, moment: Moment, into: Tally) {
  const { scene, ada } = stage;
  const entries = next() < 0.4 ? mixed(fresh(round)) : fresh(round);
  const documents = expected(stage, entries);
  await others(stage, round);
  const before = await found(stage, `-${queryOf(round)}`);
  const send = () => add(scene, ada, entries);
  const status = await killed(stage, victim, send, (request) =>
    come(stage, moment, request, entries),
  );
  await revive(stage, victim, round);
  await count(stage, into, queryOf(round), documents.length, status);

  const again = await message(await send());
  if (status === 202) expect(again).toBe(added(0, ENTRIES));
  expect(again).toContain("files were duplicates");
  expect((await found(stage, queryOf(round))).map(timeless)).toEqual(documents);
  expect(await found(stage, `-${queryOf(round)}`)).toEqual(before);
  await scene.update(JSON.stringify({ delete: { query: queryOf(round) } }));
}

async function deletion(stage: Stage, victim: Victim, round: string, moment: Moment, into: Tally) {
  const { scene, ada } = stage;
  const entries = fresh(round);
  await message(await add(scene, ada, entries));
  await others(stage, round);
  const before = await found(stage, `-${queryOf(round)}`);
  const send = () => remove(scene, ada, { file: `/kill/${round}/*` });
  const status = await killed(stage, victim, send, (request) =>
    come({ scene, span: DELETION }, moment, request, entries, false),
  );
  await revive(stage, victim, round);
  await count(stage, into, queryOf(round), entries.length, status);

  await message(await send());
  expect(await found(stage, queryOf(round))).toEqual([]);
  expect(await found(stage, `-${queryOf(round)}`)).toEqual(before);
}

/** Runs one kill after the other; says with a failure how to have it again. */
async function each(
  name: string,
  all: readonly Moment[],
  run: (round: string, moment: Moment) => Promise<void>,
): Promise<void> {
  for (const [i, moment] of all.entries()) {
    await run(`${name}-${i}`, moment).catch((cause) => {
      const where = `${name} ${i} (${JSON.stringify(moment)})`;
      throw new Error(`${where}, SEED=${SEED}: ${cause}`, { cause });
    });
  }
}

/** However busy the machine is, and with however many kills. */
const LONG = 1_800_000;
/** What was killed in how many requests, and how often it hit one that was half done. */
function tell(name: string, { kills, answered, half }: Tally, begin: number): void {
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  console.log(`${name}: ${kills} kills, ${half} half done, ${answered} answered, ${seconds} s`);
}

/** A service over a Solr that somebody else runs: it dies alone. Else its Solr dies, or both do. */
const OVER_OWN = Math.ceil(KILLS * 0.06);
const HALF = Math.round(KILLS / 2);
const STAGES = [
  {
    name: "over an outside Solr",
    whose: "shared",
    services: KILLS - HALF - OVER_OWN,
    solrs: 0,
    deletions: attempts(2, 5),
  },
  {
    name: "with its own Solr",
    whose: "own",
    services: OVER_OWN,
    solrs: HALF,
    deletions: Math.ceil(KILLS / 10),
  },
] as const;

describe.each(STAGES.filter(({ whose }) => whose === "shared" || !isOnTheCloud))(
  "a service $name, killed at any point",
  ({ name, whose, services, solrs, deletions }) => {
    let on: Stage;
    beforeAll(async () => {
      on = await stage(await Scene.start(whose));
    });
    afterAll(async () => {
      await on.scene.update('{"delete":{"query":"*:*"}}');
      await on.scene.close();
    });

    it(
      "completes a repeated POST and keeps all else, like a killed Solr",
      async () => {
        const begin = performance.now();
        const seen = tally();
        const victims: [Victim, number][] = [
          ["service", services],
          ["Solr", solrs],
        ];
        for (const [victim, count] of victims) {
          await each(`${victim}-post`, moments(count), (round, moment) =>
            post(on, victim, round, moment, seen),
          );
        }
        tell(`POST, ${name}`, seen, begin);
        tried(seen.kills);
        expect(seen.kills).toBe(services + solrs);
        expect(seen.half).toBeGreaterThanOrEqual(Math.floor(seen.kills / 3));
      },
      LONG,
    );

    it(
      "completes a repeated DELETE and keeps all else, like a killed Solr",
      async () => {
        const begin = performance.now();
        const seen = tally();
        const some = Array.from(
          { length: deletions },
          (_, i): Moment => (i % 2 ? { part: (i + next()) / deletions } : { batch: 0 }),
        );
        const victim = whose === "own" ? "Solr" : "service";
        const hit = (called: string, moments: readonly Moment[]): Promise<void> =>
          each(called, moments, (round, moment) => deletion(on, victim, round, moment, seen));
        await hit(`${victim}-delete`, some);
        // One that was through before it could be hit is tried again.
        for (let more = 0; whose === "shared" && seen.half === 0 && more < 8; more += 1) {
          await hit(`${victim}-delete-more${more}`, [{ batch: 0 }]);
        }
        tell(`DELETE, ${name}`, seen, begin);
        tried(seen.kills);
        expect(seen.kills).toBeGreaterThanOrEqual(deletions);
        // A Solr that is near is through with it before it can be hit.
        if (whose === "shared") expect(seen.half).toBeGreaterThan(0);
      },
      LONG,
    );
  },
);
